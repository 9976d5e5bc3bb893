"""How the page looks: one column that fits a phone and a desk, in light, in dark and on paper."""

from __future__ import annotations

__all__ = ["CSS"]

CSS = """
:root {
  color-scheme: light dark;
  --ground: #fbfaf8; --card: #ffffff; --ink: #1d1c1a; --soft: #63605a; --line: #dedad2; --faint: #efece6;
  --ok: #2b6cb0; --error: #c2410c; --other: #8a857b; --mark: #1d1c1a;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #161514; --card: #1f1e1c; --ink: #ece9e3; --soft: #a5a097; --line: #3a3835; --faint: #2a2826;
    --ok: #6aa9e9; --error: #fb8a4c; --other: #8f8a80; --mark: #ffffff;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0 auto; padding: 2rem clamp(1rem, 4vw, 2.5rem) 4rem; max-width: 72rem;
  background: var(--ground); color: var(--ink);
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "DejaVu Sans", sans-serif;
}
h1 { font-size: 1.6rem; line-height: 1.2; margin: 0 0 .25rem; overflow-wrap: anywhere; }
h2 { font-size: 1.1rem; margin: 0 0 .15rem; }
p { margin: 0 0 .9rem; color: var(--soft); max-width: 48rem; overflow-wrap: anywhere; }
section { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 1.1rem 1.25rem 1.25rem; margin-top: 1.25rem; }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(9.5rem, 1fr)); gap: .75rem; margin: 1.25rem 0 0; }
.tile { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: .7rem .9rem; }
.tile dt { color: var(--soft); font-size: .82rem; }
.tile dd { margin: 0; font-size: 1.45rem; font-weight: 600; line-height: 1.25; font-variant-numeric: tabular-nums; }
.tile dd.more { font-size: .82rem; font-weight: 400; color: var(--soft); }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { padding: .32rem .5rem; text-align: right; white-space: nowrap; border-bottom: 1px solid var(--faint); }
th { color: var(--soft); font-weight: 500; font-size: .82rem; border-bottom-color: var(--line); }
th:first-child, td:first-child { text-align: left; padding-left: 0; }
th:last-child, td:last-child { padding-right: 0; }
td.name, .row .name, code { font-family: ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: .87rem; }
td.name, th.left { text-align: left; }
td.bad { color: var(--error); font-weight: 600; }
td.none { color: var(--soft); }
tfoot td { border-bottom: 0; border-top: 1px solid var(--line); font-weight: 600; }
.row, .axis { display: grid; grid-template-columns: minmax(0, 18rem) minmax(0, 1fr) minmax(0, 14rem); column-gap: .9rem; align-items: center; }
.row { padding: .17rem 0; }
.row .name { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.row .value { font-size: .82rem; color: var(--soft); font-variant-numeric: tabular-nums; }
.row .value b { color: var(--ink); font-weight: 600; }
.axis svg { grid-column: 2; }
svg { display: block; width: 100%; overflow: visible; }
svg text { fill: var(--soft); font-size: 12px; }
.ok { fill: var(--ok); } .error { fill: var(--error); } .other { fill: var(--other); }
.bar { stroke: var(--card); stroke-width: 1; }
.ground { fill: var(--faint); } .grid { stroke: var(--line); stroke-width: 1; }
.p50 { stroke: var(--mark); stroke-width: 2.5; } .p95 { fill: var(--card); stroke: var(--mark); stroke-width: 1.6; }
.stroke { fill: none; stroke-width: 2; } .stroke.error { stroke: var(--error); } .stroke.other { stroke: var(--other); }
.legend { display: flex; flex-wrap: wrap; gap: .2rem 1.1rem; margin: .1rem 0 .7rem; padding: 0; list-style: none; font-size: .82rem; color: var(--soft); }
.legend li { display: flex; align-items: center; gap: .4rem; }
.legend svg { width: 16px; flex: none; }
.across { margin: .5rem .4rem 0 4.8rem; }
@media (max-width: 52rem) {
  body { padding-top: 1.25rem; }
  section { padding: .9rem .9rem 1rem; }
  .row { grid-template-columns: minmax(0, 1fr) auto; row-gap: .1rem; padding: .3rem 0; }
  .row svg { grid-column: 1 / -1; grid-row: 2; }
  .axis { grid-template-columns: minmax(0, 1fr); }
  .axis svg { grid-column: 1; }
  .axis .second { display: none; }
}
@media print {
  :root {
    color-scheme: light;
    --ground: #ffffff; --card: #ffffff; --ink: #000000; --soft: #444444; --line: #bbbbbb; --faint: #eeeeee;
    --ok: #2b6cb0; --error: #c2410c; --other: #8a857b; --mark: #000000;
  }
  html { font-size: 11px; }
  body { padding: 0; max-width: none; font-size: 11px; print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  section, .tile { border-radius: 0; }
  .row, tr, .tile, .legend, .across, h2, h2 + p { break-inside: avoid; }
  h2, h2 + p, .legend { break-after: avoid; }
  .wide { overflow: visible; }
}
"""
