// The door: everything that an application includes.
//
//   #include <sprue/sprue.h>
#pragma once

#include "sprue/array.h"
#include "sprue/casting.h"
#include "sprue/error.h"
#include "sprue/kernel.h"
