# sprue_embed_texts(TARGET NAMESPACE files...): compiles the files into TARGET as string constants.
# EmbeddedText {name, text} in base/embedded_text.h; the table is `NAMESPACE_texts`.
function(sprue_embed_texts target table)
  set(output "${CMAKE_CURRENT_BINARY_DIR}/${table}_texts.cpp")
  add_custom_command(
    OUTPUT "${output}"
    COMMAND ${CMAKE_COMMAND} -DOUTPUT=${output} -DTABLE=${table} "-DFILES=${ARGN}"
            -P "${CMAKE_SOURCE_DIR}/cmake/WriteEmbeddedTexts.cmake"
    DEPENDS ${ARGN} "${CMAKE_SOURCE_DIR}/cmake/WriteEmbeddedTexts.cmake"
    VERBATIM)
  target_sources(${target} PRIVATE "${output}")
endfunction()
