"""The style sheet of the matrix page.

A client's section is hidden until an anchor in it is opened: one client at a time. A browser that
does not know :has() shows all sections. Where the screen is narrow, the tables of all clients give
way to the sections.
"""

from __future__ import annotations

STYLE = """
:root { color-scheme: light dark; --line: #8884; --bad: light-dark(#c02020, #ff7b72);
  --good: light-dark(#1f7a3d, #57c07a); --odd: light-dark(#8a6100, #e0b040);
  --link: light-dark(#0b57d0, #8ab4f8); }
* { box-sizing: border-box; }
body { font: 15px/1.45 system-ui, sans-serif; margin: 0 auto; max-width: 110rem;
  padding: 1rem; overflow-wrap: anywhere; }
a { color: var(--link); }
h1 { font-size: 1.4rem; } h2 { font-size: 1.1rem; margin-top: 2.2rem; }
h3 { font-size: 1rem; margin: 1.2rem 0 .3rem; }
p, ul.plain, pre.copy { max-width: 60rem; }
ul.plain { list-style: none; padding: 0; margin: .4rem 0; } ul.plain li { margin: .3rem 0; }
.scroll { overflow: auto; max-height: 92vh; border: 1px solid var(--line); }
table { border-collapse: separate; border-spacing: 0; }
th, td { border-bottom: 1px solid var(--line); padding: .35rem .55rem; text-align: left;
  vertical-align: top; overflow-wrap: normal; }
thead th { position: sticky; top: 0; background: Canvas; z-index: 1; }
tbody th { position: sticky; left: 0; background: Canvas; font-weight: 400; min-width: 16rem;
  max-width: 22rem; }
thead th:first-child { left: 0; z-index: 2; }
#groups th { min-width: 0; } #groups td { font-size: 12px; line-height: 1.35; }
#groups td a { display: block; color: inherit; text-decoration: none; white-space: nowrap; }
#clients th { min-width: 9rem; } #clients td { overflow-wrap: anywhere; }
td.mark { text-align: center; white-space: nowrap; }
td.mark a { color: inherit; text-decoration: none; display: block; }
.held { color: var(--good); } .broken { color: var(--bad); font-weight: 700; }
.expected, .unexpected, .incomplete { color: var(--odd); } .none, small { opacity: .75; }
.high, .medium, .low { display: inline-block; min-width: 4.4em; font-size: 12px; }
.high { color: var(--bad); font-weight: 700; } .medium { color: var(--odd); }
.broken small, .held small { font-weight: 400; }
tr.scope th { font-weight: 700; padding-top: 1.2rem; }
.evidence { border-left: 3px solid var(--line); margin: .5rem 0; padding: .1rem .8rem; }
.evidence:target, tr:target th { border-color: var(--link); background: #8882; }
.evidence p { margin: .2rem 0; }
.filters, .choose { display: flex; flex-wrap: wrap; gap: .3rem 1.2rem; margin: .8rem 0; }
summary { cursor: pointer; } pre { font-size: 12.5px; overflow-x: auto; }
code { font-family: Menlo, Consolas, 'DejaVu Sans Mono', monospace; font-size: 13px; }
.narrow { display: none; }
@supports selector(:has(a)) {
  section.client { display: none; }
  section.client:has(:target) { display: block; }
}
@media (max-width: 50rem) {
  .wide { display: none; } .narrow { display: block; }
  .choose a { padding: .3rem 0; }
  #clients thead { display: none; } #clients tr, #clients th, #clients td { display: block; }
  #clients tr { border-bottom: 1px solid var(--line); padding: .4rem 0; }
  #clients th, #clients td { border: 0; padding: .1rem 0; max-width: none; position: static; }
  #clients td::before { content: attr(data-label) " "; opacity: .75; }
}
"""
