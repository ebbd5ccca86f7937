"""The real program behind the pages: TLS and real clients, which the mock does not have."""
import contextlib
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import urllib.request

from browser import PATIENCE, Failure


class LiveConsole:
    """A proxy with its console in a folder of its own."""

    def __init__(self, program, *arguments, site=None):
        self.folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        if site:
            # An installed program finds the site of its documentation beside it.
            pathlib.Path(self.folder.name, "bin").mkdir()
            program = shutil.copy2(program, f"{self.folder.name}/bin/pinhole")
            shutil.copytree(site, f"{self.folder.name}/share/pinhole/html")
        environment = {name: value for name, value in os.environ.items() if not name.lower().endswith("_proxy")}
        # The CA and the capture are in the folder, and the home folder of the user stays unchanged.
        environment["XDG_STATE_HOME"] = f"{self.folder.name}/.xdg/state"
        self.process = subprocess.Popen([program, "proxy", "--listen", "127.0.0.1:0", "--console", "0", "--ca-dir", "ca",
                                         "--capture", "pinhole.sqlite", *arguments], cwd=self.folder.name,
                                        env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.url, self.proxy, said = None, None, []
        for line in self.process.stdout:
            said.append(line)
            if found := re.search(r"console (\S+)", line):
                self.url = found[1]
            if found := re.match(r"listening on (\S+)", line):
                self.proxy = found[1]
                break
        if not self.url or not self.proxy:
            raise Failure(f"pinhole proxy did not begin: {''.join(said)}")
        self.base = self.url.split("/?")[0]

    def ask(self, path, body=None, method="GET"):
        """Sends a request to the console, as a program does."""
        request = urllib.request.Request(f"{self.base}{path}", body, method=method,
                                         headers={"Authorization": f"Bearer {self.url.split('token=')[1]}", "Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            return answer.read().decode()

    def end(self):
        self.process.terminate()
        self.process.wait()
        self.folder.cleanup()


def served_assets(program, assets, folder):
    """Copies the files of the page, with the modules as the program serves them: joined, so that a page loads sooner."""
    shutil.copytree(assets, folder)
    console = LiveConsole(program)
    try:
        for script in pathlib.Path(folder).rglob("*.js"):
            script.write_text(console.ask(f"/{script.relative_to(folder)}"), encoding="utf-8")
    finally:
        console.end()
    return folder


@contextlib.contextmanager
def live(stage, *arguments, site=None):
    """A page of a real console; `None` without a program."""
    if not stage.program:
        print("      no --pinhole was named: what needs the program was left out")
        yield None
        return
    console = LiveConsole(stage.program, *arguments, site=site)
    try:
        stage.browser.go("about:blank#")
        stage.browser.go(console.url)
        stage.browser.wait("document.querySelector('.live')?.dataset.status === 'live'")
        stage.browser.complaints.clear()
        yield console
    except Failure:
        # The page is gone after this block.
        stage.shoot("failed-live")
        raise
    finally:
        stage.browser.go("about:blank#")
        console.end()
