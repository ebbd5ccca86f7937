/// The script of the page: it opens the target of a link, and filters; without it everything can be read.
enum HTMLScript {
    static let text = """
        (function () {
          function reveal() {
            var target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
            for (var e = target; e; e = e.parentElement) {
              if (e.tagName === 'DETAILS') { e.hidden = false; e.open = true; }
            }
            if (!target) return;
            target.scrollIntoView(target.closest('.wide') ? { inline: 'start', block: 'nearest' } : {});
          }
          addEventListener('hashchange', reveal);
          if (location.hash) reveal();
          var marks = {};
          document.querySelectorAll('.legend li').forEach(function (item) {
            marks[item.firstElementChild.classList[1]] = item.textContent.trim().slice(1).trim();
          });
          document.querySelectorAll('.matrix td a:not([aria-label])').forEach(function (link) {
            link.setAttribute('aria-label', marks[link.parentElement.classList[0]] || link.textContent);
          });
          var frame = document.querySelector('.frame');
          var scroll = frame && frame.firstElementChild;
          function cue() {
            var rest = scroll.scrollWidth - scroll.clientWidth - scroll.scrollLeft;
            frame.style.setProperty('--bar', (scroll.offsetWidth - scroll.clientWidth) + 'px');
            frame.classList.toggle('left', scroll.scrollLeft > 1);
            frame.classList.toggle('right', rest > 1);
            var word = document.querySelector('.cue');
            if (word) word.hidden = rest <= 1;
          }
          if (scroll) {
            scroll.addEventListener('scroll', cue, { passive: true });
            addEventListener('resize', cue);
            cue();
          }
          var tools = document.querySelector('.tools');
          var cells = Array.from(document.querySelectorAll('details.cell'));
          var scenarios = Array.from(document.querySelectorAll('details.scenario'));
          tools.hidden = false;
          tools.addEventListener('click', function (event) {
            var choice = event.target.dataset;
            if (choice.open) {
              scenarios.concat(cells).forEach(function (c) { if (!c.hidden) c.open = choice.open === 'true'; });
            }
            if (!choice.show) return;
            cells.forEach(function (c) {
              c.hidden = choice.show === 'faults' && !c.classList.contains('fault');
            });
            scenarios.forEach(function (s) {
              s.hidden = choice.show === 'faults' && !s.querySelector('.cell.fault');
            });
            tools.querySelectorAll('[data-show]').forEach(function (b) {
              b.setAttribute('aria-pressed', String(b === event.target));
            });
          });
        })();
        """
}
