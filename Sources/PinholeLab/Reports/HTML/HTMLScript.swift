/// The script of the page: it opens what a link leads to, and filters; without it everything can be read.
enum HTMLScript {
    static let text = """
        (function () {
          function reveal() {
            var target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
            for (var e = target; e; e = e.parentElement) {
              if (e.tagName === 'DETAILS') { e.hidden = false; e.open = true; }
            }
            if (target) target.scrollIntoView();
          }
          addEventListener('hashchange', reveal);
          if (location.hash) reveal();
          var tools = document.querySelector('.tools');
          var cells = Array.from(document.querySelectorAll('details.cell'));
          tools.hidden = false;
          tools.addEventListener('click', function (event) {
            var choice = event.target.dataset;
            if (choice.open) cells.forEach(function (c) { if (!c.hidden) c.open = choice.open === 'true'; });
            if (!choice.show) return;
            cells.forEach(function (c) {
              c.hidden = choice.show === 'faults' && !c.classList.contains('fault');
            });
            tools.querySelectorAll('[data-show]').forEach(function (b) {
              b.setAttribute('aria-pressed', String(b === event.target));
            });
          });
        })();
        """
}
