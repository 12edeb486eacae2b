// The page's stylesheet. Colours are those of Okabe and Ito, which colour-blind readers tell apart; the ones
// too pale for a white ground are darkened. Text reaches a contrast of 4.5 on everything it stands on.
#include "measure/report/report_html_parts.h"

namespace sprue::page {
namespace {

constexpr const char* kColours = R"css(
:root{color-scheme:light dark;
--ground:#fcfcfb;--panel:#f3f4f4;--ink:#1c2024;--muted:#565e67;--line:#d9dde1;--grid:#e6e9ec;--link:#005a91;
--warn-ground:#fdf1d8;--warn-line:#c98a00;--warn-ink:#5e3b00;--wrong-ground:#fde6da;--wrong-ink:#7d2600;
--band:#e3e7ea;--better:#0072b2;--worse:#d55e00;
--s0:#0072b2;--s1:#d55e00;--s2:#009e73;--s3:#b45a94;--s4:#1c2024;--s5:#a97400;--s6:#2b86bd}
)css";

constexpr const char* kDarkColours = R"css(
@media screen and (prefers-color-scheme:dark){:root{
--ground:#14171a;--panel:#1d2125;--ink:#e7eaed;--muted:#a4adb6;--line:#363c43;--grid:#272c31;--link:#7cc4f0;
--warn-ground:#33280f;--warn-line:#e69f00;--warn-ink:#ffdb94;--wrong-ground:#3d1f10;--wrong-ink:#ffc3a1;
--band:#2a3037;--better:#56b4e9;--worse:#e8742a;
--s0:#56b4e9;--s1:#e8742a;--s2:#12b386;--s3:#d68ab4;--s4:#e7eaed;--s5:#e69f00;--s6:#f0e442}}
)css";

constexpr const char* kText = R"css(
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%}
body{margin:0;background:var(--ground);color:var(--ink);font:15px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"DejaVu Sans",sans-serif;overflow-wrap:anywhere}
main{max-width:68rem;margin:0 auto;padding:2rem 1rem 4rem}
h1{font-size:2rem;line-height:1.2;margin:0 0 1rem;letter-spacing:-.01em}
h2{font-size:1.25rem;line-height:1.3;margin:0 0 .6rem}
h3{font-size:1rem;margin:1.2rem 0 .4rem}
p{margin:.5rem 0}
a{color:var(--link)}
code{font:.93em ui-monospace,"SF Mono",Menlo,Consolas,"DejaVu Sans Mono",monospace}
section,details{margin:2.2rem 0}
section.row{border-top:1px solid var(--line);padding-top:1.6rem}
.eyebrow{margin:0;color:var(--muted);font-size:.85rem;letter-spacing:.08em;text-transform:uppercase}
.note{color:var(--muted);font-size:.87rem}
.lead{font-size:1.15rem;margin:.3rem 0 .9rem}
.facts{display:grid;grid-template-columns:repeat(auto-fit,minmax(13rem,1fr));gap:.7rem 2rem;margin:1rem 0 2rem}
.facts dt{color:var(--muted);font-size:.87rem}
.facts dd{margin:0}
.facts div:last-child{grid-column:1/-1}
ul{margin:.5rem 0;padding:0 0 0 1.1rem}
li{margin:.2rem 0}
.notice{margin:1rem 0;padding:.8rem 1rem;border-left:4px solid var(--warn-line);background:var(--warn-ground);color:var(--warn-ink);border-radius:3px}
.notice.wrong{border-color:var(--worse);background:var(--wrong-ground);color:var(--wrong-ink)}
.notice h2{font-size:1rem;margin:0 0 .3rem}
.notice a{color:inherit}
.notice ul{margin:0}
.chip{display:inline-block;padding:0 .45em;border:1px solid var(--line);border-radius:1em;background:var(--panel);color:var(--muted);font-size:.8rem;white-space:nowrap}
.pairs{list-style:none;padding:0;margin:1rem 0}
.pairs li{display:grid;grid-template-columns:6.4rem 1fr;gap:.7rem;align-items:baseline;padding:.25rem 0}
.badge{border:1.5px solid var(--muted);border-radius:3px;text-align:center;font-size:.8rem;line-height:1.5}
.badge.faster{border-color:var(--better)}
.badge.slower{border-color:var(--worse)}
.badge.unresolved{border-style:dashed}
.checks{color:var(--muted);font-size:.93rem}
.checks strong{color:var(--wrong-ink)}
td strong{color:var(--wrong-ink)}
summary{cursor:pointer;color:var(--link)}
summary h2{display:inline;color:var(--ink)}
details.row{border-top:1px solid var(--line);padding-top:.8rem;margin:.8rem 0}
details.guide{margin-top:-1.2rem}
details.guide p{max-width:46rem}
)css";

constexpr const char* kTablesAndFigures = R"css(
.scroll{overflow-x:auto;max-width:100%}
table{border-collapse:collapse;font-size:.9rem;line-height:1.4;font-variant-numeric:tabular-nums;overflow-wrap:normal}
th,td{padding:.4rem .9rem .4rem 0;text-align:left;vertical-align:baseline;border-bottom:1px solid var(--line);white-space:nowrap}
thead th{color:var(--muted);font-weight:400;font-size:.87rem}
tbody th{font-weight:600}
tbody th a{font-weight:400}
.number{text-align:right}
.figures{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,26rem),1fr));gap:1.6rem 2.5rem;align-items:start;margin:1.2rem 0}
figure{margin:0;min-width:0;break-inside:avoid}
figcaption{color:var(--muted);font-size:.87rem;margin-bottom:.6rem;max-width:32rem}
figcaption b{color:var(--ink)}
svg{display:block;width:100%;height:auto;font:12px system-ui,-apple-system,"Segoe UI",Roboto,"DejaVu Sans",sans-serif;font-variant-numeric:tabular-nums}
svg text{fill:var(--ink)}
svg .tick,svg .note{fill:var(--muted);font-size:12px}
svg .name{font-weight:600}
svg .halo{paint-order:stroke;stroke:var(--ground);stroke-width:3.5px;stroke-linejoin:round}
svg .grid{stroke:var(--grid)}
svg .axis{stroke:var(--muted)}
svg .band{fill:var(--band)}
svg .one{stroke:var(--muted);stroke-width:1.5}
svg .roof{stroke:var(--muted);stroke-width:2}
svg .leader{stroke:var(--muted);stroke-width:.75}
svg .arrow{fill:var(--ink)}
.s0{color:var(--s0)}.s1{color:var(--s1)}.s2{color:var(--s2)}.s3{color:var(--s3)}.s4{color:var(--s4)}.s5{color:var(--s5)}.s6{color:var(--s6)}
svg .marker{fill:currentColor}
svg .dot{fill:currentColor;fill-opacity:.62}
svg .box{fill:currentColor;fill-opacity:.14;stroke:currentColor;stroke-opacity:.55}
svg .median{stroke:currentColor;stroke-width:2.5}
svg .path{fill:none;stroke:currentColor;stroke-width:2;stroke-linejoin:round}
svg .quartiles{stroke:currentColor;stroke-width:5;stroke-opacity:.4}
svg .interval{stroke:var(--ink);stroke-width:1.75}
svg .mark{fill:var(--ink);stroke:var(--ground);stroke-width:1}
svg .mark.open{fill:var(--ground);stroke:var(--ink);stroke-width:1.75}
svg .mark.faster{fill:var(--better)}
svg .mark.slower{fill:var(--worse)}
)css";

constexpr const char* kPrint = R"css(
@media print{
body{font-size:11pt}
main{max-width:none;padding:0}
.scroll{overflow:visible}
table{font-size:9pt}
th,td{white-space:normal;padding-right:.5rem}
details::details-content{content-visibility:visible;height:auto}
tr,.notice,.pairs li{break-inside:avoid}
h2,h3{break-after:avoid}
*{-webkit-print-color-adjust:exact;print-color-adjust:exact}
}
)css";

}  // namespace

std::string stylesheet() {
  return std::string(kColours) + kDarkColours + kText + kTablesAndFigures + kPrint;
}

}  // namespace sprue::page
