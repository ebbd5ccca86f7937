import { askJSON } from "../../core/api.js";
import { toast } from "../../core/announce.js";
import { el, fill } from "../../core/dom.js";
import { Problem } from "../../core/problem.js";
import { facts } from "../../core/fields-table.js";
import { captureScope, filterTable } from "./capture-scope.js";
import { passedOn } from "../../core/pass-on.js";
import { hostTrust } from "./trust-settings.js";
import { Throttling } from "./throttling.js";
import { saveSettings } from "../../parts/diff/save-settings.js";

/** The proxy's settings. The hosts that the proxy does not intercept can be changed while it runs. */
export function proxySettings() {
  const place = el("section", { "aria-label": "Proxy" }, el("h2", {}, "Proxy"),
    el("p", { class: "soft" }, "Loading…"));
  show(place);
  return place;
}

async function show(place) {
  try {
    build(place, await askJSON("/api/state"));
  } catch (error) {
    fill(place, el("h2", {}, "Proxy"), el("p", { class: "notice" }, Problem.of(error).sentence));
  }
}

async function build(place, state) {
  if (state.proxy.length === 0) return fill(place, el("h2", {}, "Proxy"),
    el("p", { class: "soft" }, "No proxy runs here: this console shows a file."), filterTable());
  const settings = await askJSON("/api/settings");
  const hosts = el("textarea", { rows: "5", spellcheck: "false", id: "passthrough-hosts",
    placeholder: "*.bank.example" });
  hosts.value = settings.passthrough.join("\n");
  const problem = el("div", { role: "alert" });
  const throttling = new Throttling();
  throttling.load();
  const use = async () => {
    fill(problem);
    const passthrough = hosts.value.split("\n").map((one) => one.trim()).filter(Boolean);
    try {
      const { passthrough: now } = await askJSON("/api/settings", { method: "PUT", body: { passthrough } });
      hosts.value = now.join("\n");
      passedOn.take(now);
      toast("New connections follow it");
    } catch (error) {
      fill(problem, el("p", { class: "notice failed" }, Problem.of(error).sentence));
    }
  };
  fill(place, el("h2", {}, "Proxy"),
    el("label", { for: "passthrough-hosts" }, "Hosts that are passed through, one pattern a line (an exception begins with !)"),
    hosts, el("p", {}, el("button", { type: "button", class: "primary passthrough-use", onclick: use }, "Use now"), " ",
      el("span", { class: "soft" }, "for connections that begin from now on; it ends with the proxy, or when the file is read again.")),
    problem, hostTrust(), captureScope(settings, state), filterTable(), throttling.element, el("p", {}, el("button", { type: "button", class: "settings-save", onclick: () => saveSettings() },
      "Save to the configuration…"), " ", el("span", { class: "soft" },
      `writes what counts now to ${settings.file ?? "config.json"}, throttling, filters and the other `, el("a", { href: "#/rules" }, "rules"),
      " as well; you see the difference first.")),
    el("details", { class: "section" }, el("summary", {}, el("h3", {}, "Configuration"),
      el("span", { class: "extra" }, settings.file ?? "defaults and flags")),
    facts(settings.facts.map((fact) => /** @type {[string, string]} */ ([fact.name, fact.value || "none"])))));
}
