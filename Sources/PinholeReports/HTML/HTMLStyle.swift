/// The style of the page.
enum HTMLStyle {
    static let text = screen + "\n" + dark + "\n" + narrow + "\n" + paper

    private static let screen = """
        :root {
          --ground: #ffffff; --panel: #f4f6f9; --ink: #1b2130; --soft: #525c70; --line: #d3d9e3; --link: #0b57a4;
          --shade: rgb(27 33 48 / .28); --names: 17rem;
          --detected: #d3e6f6; --detected-ink: #0b3f6b;
          --accepted: #e9f1f7; --accepted-ink: #33506b;
          --missed: #b42318; --missed-ink: #ffffff;
          --alarm: #f5b83d; --alarm-ink: #2b1d00;
          --unsaid: #dcdfe6; --unsaid-ink: #333b4b;
        }
        * { box-sizing: border-box; }
        html { scroll-padding-top: 1rem; }
        body { margin: 0 auto; padding: 1.5rem clamp(1rem, 3vw, 3rem) 4rem; max-width: 180rem;
          font: 15px/1.5 system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif;
          color: var(--ink); background: var(--ground); overflow-wrap: anywhere; }
        h1 { font-size: 1.6rem; margin: 0; } h1 span { color: var(--soft); font-weight: 400; }
        h2 { font-size: 1.25rem; margin: 2.5rem 0 .75rem; }
        h3.group { font-size: 1.05rem; margin: 2rem 0 .5rem; padding-bottom: .25rem;
          border-bottom: 1px solid var(--line); }
        h4 { font-size: 1rem; margin: 0 0 .5rem; } h4 span { color: var(--soft); margin-right: .35rem; }
        h5 { font-size: .8rem; margin: .9rem 0 .3rem; color: var(--soft); }
        header p { margin: .25rem 0 .75rem; color: var(--soft); } header strong { color: var(--ink); }
        nav a { margin-right: 1rem; }
        a { color: var(--link); }
        a:focus-visible, summary:focus-visible, button:focus-visible, .scroll:focus-visible {
          outline: 2px solid var(--link); outline-offset: 1px; }
        code, pre { font: .86em/1.5 ui-monospace, "DejaVu Sans Mono", monospace; overflow-wrap: anywhere; }
        pre { margin: 0; padding: .6rem; overflow-x: auto; background: var(--ground);
          border: 1px solid var(--line); border-radius: 4px; }
        small { color: var(--soft); }
        ul, ol { margin: 0; padding: 0; list-style: none; }
        caption { text-align: left; color: var(--soft); padding: 0 0 .5rem; }
        table { border-collapse: collapse; overflow-wrap: normal; }
        #differences, #summary, #evidence, #certificates { max-width: 110rem; }
        .scroll { overflow-x: auto; padding-bottom: .5rem; }

        .detected { background: var(--detected); color: var(--detected-ink); }
        .accepted { background: var(--accepted); color: var(--accepted-ink); }
        .missed { background: var(--missed); color: var(--missed-ink); }
        .falseAlarm { background: var(--alarm); color: var(--alarm-ink); }
        .inconclusive { background: var(--unsaid); color: var(--unsaid-ink); }
        .unnoticeable { background: transparent; color: var(--soft); box-shadow: inset 0 0 0 1px var(--line); }
        .sign { display: inline-block; flex: none; width: 1.6em; line-height: 1.6; text-align: center;
          font-weight: 700; border-radius: 3px; }

        .counts { display: flex; flex-wrap: wrap; gap: .5rem; margin-bottom: 1.25rem; }
        .counts li { padding: .5rem 1rem .5rem .6rem; border-radius: 6px; }
        .counts b { font-size: 1.35rem; margin: 0 .2rem 0 .1rem; }
        .legend { display: flex; flex-wrap: wrap; gap: .4rem 1.25rem; margin-bottom: 1rem; color: var(--soft); }
        .numbers th, .numbers td { padding: .3rem .8rem .3rem 0; text-align: left; vertical-align: top;
          border-bottom: 1px solid var(--line); }
        .numbers thead th, tr.group th { color: var(--soft); font-weight: 600; font-size: .85rem; }
        caption span { position: sticky; left: 0; display: inline-block; max-width: 92vw; }
        .numbers tr.group th { padding-top: .9rem; }
        .numbers td:nth-child(2), .numbers td:nth-child(n+7) { min-width: 11rem; }
        .numbers tbody th { white-space: nowrap; } .number { font-variant-numeric: tabular-nums; }

        .jumps { margin: 0 0 .75rem; color: var(--soft); } .cue { font-weight: 600; color: var(--ink); }
        .jumps > span { white-space: nowrap; }
        .frame { position: relative; width: fit-content; max-width: 100%; }
        .frame::before, .frame::after { content: ""; position: absolute; z-index: 4; top: 0; bottom: 0; width: 1.6rem;
          pointer-events: none; opacity: 0; transition: opacity .15s; }
        .frame::before { left: var(--names); background: linear-gradient(to right, var(--shade), transparent); }
        .frame::after { right: var(--bar, 0); background: linear-gradient(to left, var(--shade), transparent); }
        .frame.left::before, .frame.right::after { opacity: 1; }
        .wide { max-height: 94vh; overflow: auto; scroll-padding: 16rem 2rem 0 calc(var(--names) + .5rem);
          border: 1px solid var(--line); border-radius: 6px; padding: 0; }
        .sheets, .narrow { display: none; }
        .changes th, .changes td, .numbers th { text-align: left; vertical-align: top; }
        .changes th, .changes td { padding: .3rem 1.2rem .3rem 0; border-bottom: 1px solid var(--line); }
        .changes thead th { color: var(--soft); font-size: .85rem; }
        .remarks { margin-top: .75rem; color: var(--soft); }

        .matrix { border-collapse: separate; border-spacing: 1px; }
        .matrix thead tr > * { position: sticky; z-index: 2; background: var(--ground); }
        .matrix thead tr:first-child > * { top: 0; height: 2.4rem; }
        .matrix thead tr:last-child > * { top: 2.4rem; }
        .matrix thead td { left: 0; z-index: 3; }
        .matrix caption { display: none; }
        .matrix thead th { font-size: .7rem; font-weight: 600; color: var(--soft); vertical-align: bottom; }
        .matrix thead th a { color: inherit; text-decoration: none; }
        .matrix thead th[scope=col] span { display: inline-block; padding: .2rem 0; max-height: 13rem; overflow: hidden;
          text-overflow: ellipsis; white-space: nowrap; writing-mode: vertical-rl; transform: rotate(180deg);
          text-align: left; font-weight: 400; }
        .matrix thead th[scope=colgroup] { text-align: left; padding: 0 .2rem .2rem .4rem;
          border-bottom: 1px solid var(--line); }
        .matrix thead th[scope=colgroup] span { display: block; line-height: 1.2; }
        .matrix tbody th { position: sticky; left: 0; z-index: 1; padding: 0 .75rem 0 .5rem; text-align: left;
          font-weight: 400; background: var(--ground); white-space: nowrap; width: var(--names);
          min-width: var(--names); max-width: var(--names); overflow: hidden; text-overflow: ellipsis; }
        .matrix tr.group th { overflow: visible; }
        .matrix tbody th span { color: var(--soft); font-size: .85rem; }
        .matrix tr.group th { padding-top: .7rem; }
        .matrix tr.group th span { position: sticky; left: .5rem; font-weight: 600; }
        .matrix td { padding: 0; min-width: 1.5rem; height: 1.6rem; text-align: center; border-radius: 3px; }
        .matrix td.first, .matrix th.first { border-left: 5px solid var(--ground); }
        .matrix td a { display: block; line-height: 1.6rem; color: inherit; font-weight: 700;
          text-decoration: none; }
        .matrix td a:hover { outline: 2px solid currentColor; border-radius: 3px; }
        .matrix td.differs a { outline: 3px solid var(--link); outline-offset: -3px; border-radius: 3px; }
        .matrix td.none { font-size: .6rem; color: var(--soft); }

        .cross th, .cross td { padding: .3rem 1rem .3rem 0; text-align: left; vertical-align: top;
          border-bottom: 1px solid var(--line); font-weight: 400; }
        .cross thead th { font-weight: 600; font-size: .85rem; } .cross thead small { display: block; font-weight: 400; }
        .cross tr.group th { padding-top: .9rem; } .cross td { padding: .3rem .6rem; min-width: 8rem; }
        .cross td a { color: inherit; text-decoration: none; white-space: nowrap; }
        .cross tbody th { max-width: 34rem; } .cross tbody th a { text-decoration: none; }
        .cross td.differs { outline: 3px solid var(--link); outline-offset: -3px; }
        .quiet { margin-top: 1rem; } .quiet > summary { color: var(--link); }
        .verdict { font-weight: 600; font-size: 1.05rem; color: var(--ink); }
        .grades { margin-top: 1.25rem; } .grades td { max-width: 24rem; }

        .tools { margin: 0 0 1rem; }
        button { font: inherit; padding: .2rem .7rem; color: var(--ink); background: var(--panel);
          border: 1px solid var(--line); border-radius: 4px; cursor: pointer; }
        button[aria-pressed=true] { border-color: var(--link); color: var(--link); }
        .scenario > summary h4 { display: inline; margin: 0; } .scenario[open] { padding-bottom: 1.25rem; }
        .scenario > dl { padding-top: .4rem; background: none; } .marks { margin-left: .6rem; white-space: nowrap; }
        dl { margin: 0 0 .6rem; }
        dl div { display: grid; grid-template-columns: 14rem 1fr; gap: .75rem; }
        dt { color: var(--soft); } dd { margin: 0; min-width: 0; }
        details { border-top: 1px solid var(--line); }
        details:last-of-type { border-bottom: 1px solid var(--line); }
        summary { padding: .25rem .25rem; cursor: pointer; }
        summary:hover { background: var(--panel); }
        .cell > summary .sign { margin: 0 .35rem 0 .15rem; } .cell > summary b { margin-right: .4rem; }
        .cell > summary { overflow: hidden; white-space: nowrap; text-overflow: ellipsis; }
        .cell > summary .gist { color: var(--soft); margin-left: .4rem; }
        .cell { margin-left: 1.2rem; } .cell[open] > summary { white-space: normal; }
        .proof, details > dl { padding: .6rem 1rem .8rem; margin: 0 0 .5rem; background: var(--panel);
          border-radius: 6px; scroll-margin-top: 3rem; }
        .proof:target { box-shadow: inset 3px 0 0 var(--link); }
        .run { margin: .8rem 0 0; font-weight: 600; }
        .chains { display: grid; grid-template-columns: repeat(auto-fit, minmax(17rem, 1fr)); gap: 0 1.5rem; }
        .chains ol { border-left: 2px solid var(--line); padding-left: .75rem; }
        .chains li { margin-bottom: .45rem; line-height: 1.35; overflow-wrap: anywhere; }
        .chains small { display: block; } .chains p { margin: 0; color: var(--soft); }
        .honest { padding: 0 .35rem; font-size: .75rem; white-space: nowrap; border-radius: 3px;
          color: var(--detected-ink); background: var(--detected); }
        .checks { margin-bottom: .9rem; }
        .checks i { font-style: normal; font-size: .85em; padding: 0 .35rem; border-radius: 3px; }
        .checks .passed i { background: var(--detected); color: var(--detected-ink); }
        .checks .failed i { background: var(--missed); color: var(--missed-ink); }
        .checks .skipped i { background: var(--unsaid); color: var(--unsaid-ink); }
        """

    private static let dark = """
        @media screen and (prefers-color-scheme: dark) {
          :root {
            --ground: #14181f; --panel: #1d232d; --ink: #e3e8f0; --soft: #a3aec0; --line: #363f4e; --link: #83bdf7;
            --shade: rgb(0 0 0 / .65);
            --detected: #1c3f5e; --detected-ink: #cfe6fa;
            --accepted: #232f3d; --accepted-ink: #b5cbe2;
            --missed: #f0705f; --missed-ink: #2a0703;
            --alarm: #e0a52e; --alarm-ink: #241800;
            --unsaid: #434b59; --unsaid-ink: #e6eaf1;
          }
        }
        """

    private static let narrow = """
        @media screen and (max-width: 46rem) {
          dl div { grid-template-columns: 1fr; gap: 0; margin-bottom: .35rem; }
          .frame::before, .frame::after, .matrix thead, .jumps, .narrow + .scroll { display: none; }
          .wide { max-height: none; overflow: visible; border: 0; }
          .matrix, .matrix :is(tbody, tr, th) { display: block; } .matrix td { display: inline-block; width: 3.2rem; }
          .matrix tbody th { position: static; width: auto; min-width: 0; max-width: none; padding: .5rem 0 .2rem;
            white-space: normal; }
          .matrix td[data-label]::before { content: attr(data-label); display: block; font-size: .7rem; color: inherit; }
          .narrow { display: block; }
          .cell > summary .gist, .changes thead, .numbers thead, .cross thead small { display: none; }
          .changes, .numbers, .cross { width: 100%; } pre { white-space: pre-wrap; }
          :is(.changes, .numbers) :is(tbody, tr, th, td) { display: block; }
          .changes tr, .numbers tr { padding: .4rem 0; border-bottom: 1px solid var(--line); }
          .changes tr > :is(th, td), .numbers tr > :is(th, td) { padding: 0; border: 0; min-width: 0; max-width: none;
            white-space: normal; overflow-wrap: anywhere; }
          td[data-label]::before { content: attr(data-label) ": "; color: var(--soft); }
          .cross td, .cross th { padding: .3rem .2rem; min-width: 0; overflow-wrap: anywhere; }
          .cross { table-layout: fixed; } .cross thead th:not(:first-child) { width: 2.4rem; }
          .cross thead th b { writing-mode: vertical-rl; max-height: 12rem; }
          .cross td { text-align: center; vertical-align: middle; }
          .cross .word { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
        }
        """

    /// The matrix takes the width of the sheet, whatever its columns; evidence that the reader did not open is omitted
    /// unless the cell has a fault.
    private static let paper = """
        @page { size: A4 landscape; margin: 11mm; }
        @media print {
          * { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
          html { font-size: 9pt; }
          body { padding: 0; max-width: none; font-size: 9pt; }
          nav, .tools { display: none; }
          .scroll { overflow: visible; padding: 0; }
          h1 { font-size: 15pt; } h2 { font-size: 12pt; margin: 6mm 0 2mm; }
          h2, h3, h4, h5, caption { break-after: avoid; }
          tr, .counts, .legend, li, summary, dl div { break-inside: avoid; }
          thead { display: table-header-group; }
          #matrix, #evidence, #certificates { break-before: page; }
          .numbers { width: 100%; font-size: 8pt; }
          .numbers th, .numbers td { min-width: 0; padding: .5mm 2mm .5mm 0; line-height: 1.3; }
          .numbers tr.group th { padding-top: 2mm; }
          .frame, .jumps { display: none; } .sheets { display: block; }
          .sheet { table-layout: fixed; width: 100%; border-collapse: separate; border-spacing: .4mm;
            font-size: 7pt; margin-bottom: 6mm; }
          .sheet.tall + .sheet.tall { break-before: page; }
          .sheet .names { width: 68mm; } .sheet .signs { width: 5.6mm; }
          .sheet thead th { font-size: 6.5pt; padding: 0; vertical-align: bottom; font-weight: 400; }
          .sheet thead th[scope=colgroup] { text-align: left; padding: 0 0 .5mm .5mm; font-weight: 600;
            border-bottom: .3mm solid var(--line); }
          .sheet thead th[scope=col] span { writing-mode: vertical-rl; transform: rotate(180deg);
            display: inline-block; white-space: nowrap; line-height: 1.2; text-align: left; padding: .5mm 0; }
          .sheet tbody th { text-align: left; font-weight: 400; line-height: 1; padding: 0 1mm 0 0;
            white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
          .sheet tr.group th { padding-top: 1mm; color: var(--soft); font-size: 7pt; }
          .sheet tbody th span { color: var(--soft); font-size: 6.2pt; }
          .sheet tbody td { padding: 0; height: 3.6mm; line-height: 1; text-align: center; font-weight: 700; }
          .cell > summary { white-space: normal; }
          .matrix td.differs a { outline: 3px solid var(--link); outline-offset: -3px; border-radius: 3px; }
        .matrix td.none { font-size: 4pt; }
          .scenario { margin-bottom: 5mm; } .scenario dl { break-inside: avoid; }
          details.scenario:not([open]), details.cell:not([open]), #certificates details:not([open]),
          #chains details:not([open]) { display: none; }
          .proof, details > dl { background: none; border-left: .6mm solid var(--line); border-radius: 0; }
          #certificates:not(:has(details[open])), #chains:not(:has(details[open])) { display: none; }
          a { color: inherit; text-decoration: none; }
        }
        """
}
