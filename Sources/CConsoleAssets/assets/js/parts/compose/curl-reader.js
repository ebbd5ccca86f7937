import { Problem } from "../../core/problem.js";
import { utf8Of } from "../../core/head.js";
import { readCommand } from "./shell-command.js";
import { editableBody } from "./written-request.js";

/** @typedef {import("./written-request.js").WrittenRequest} WrittenRequest */

/** The short names of options. */
const shorts = { X: "request", H: "header", d: "data", F: "form", u: "user", b: "cookie", A: "user-agent", e: "referer",
  G: "get", I: "head", k: "insecure", L: "location", g: "globoff", r: "range", 0: "http1.0", s: "silent", S: "show-error",
  v: "verbose", i: "include", f: "fail", N: "no-buffer", "#": "progress-bar", O: "remote-name", J: "remote-header-name", R: "remote-time",
  q: "disable", 4: "ipv4", 6: "ipv6", 1: "tlsv1", Z: "parallel", a: "append", o: "output", w: "write-out", m: "max-time",
  c: "cookie-jar", D: "dump-header", y: "speed-time", Y: "speed-limit", x: "proxy", E: "cert", U: "proxy-user", p: "proxytunnel",
  T: "upload-file", K: "config", n: "netrc", z: "time-cond", C: "continue-at", Q: "quote", ":": "next" };

/** Options that do not change the request. */
const silent = words("silent show-error verbose include fail fail-with-body fail-early no-buffer buffer progress-bar progress-meter "
  + "remote-name remote-name-all remote-header-name remote-time disable ipv4 ipv6 parallel parallel-immediate tcp-nodelay tcp-fastopen keepalive raw "
  + "styled-output basic globoff path-as-is compressed-ssh http1.1 create-dirs junk-session-cookies remove-on-error sessionid ssl "
  + "ssl-reqd ssl-no-revoke ssl-revoke-best-effort ssl-allow-beast ssl-auto-client-cert alpn trace-time trace-ids clobber "
  + "retry-connrefused retry-all-errors suppress-connect-headers disallow-username-in-url");
/** Options with a value that do not change the request. */
const silentWithValue = words("output output-dir write-out max-time connect-timeout retry retry-delay retry-max-time cookie-jar dump-header "
  + "stderr trace trace-ascii limit-rate speed-time speed-limit max-filesize keepalive-time create-file-mode rate parallel-max "
  + "expect100-timeout happy-eyeballs-timeout-ms proto proto-redir max-redirs libcurl etag-save");
/** Options about the connection and TLS, which the proxy or this system decides. */
const elsewhere = words("tlsv1 tlsv1.0 tlsv1.1 tlsv1.2 tlsv1.3 sslv2 sslv3 cert-status proxy-insecure proxytunnel doh-insecure false-start");
const elsewhereWithValue = words("proxy preproxy proxy-user proxy-header noproxy socks4 socks4a socks5 socks5-hostname resolve connect-to "
  + "cacert capath cert cert-type key key-type pass ciphers tls13-ciphers curves tls-max interface dns-servers dns-interface "
  + "dns-ipv4-addr dns-ipv6-addr doh-url local-port pinnedpubkey crlfile proxy-cacert proxy-cert proxy-key");
/** Options that Compose does not support, with the reason. */
const refused = {
  // A name such as “constructor” is no option.
  __proto__: null,
  "upload-file": "The page cannot read files of this machine. Choose the file as the body.",
  config: "The page cannot read files of this machine. Write the options of that file into the command.",
  netrc: "The page cannot read files of this machine. Write the login with -u.",
  digest: "This login needs a response of the server first.", ntlm: "This login needs a response of the server first.",
  negotiate: "This login needs a ticket of this machine.", anyauth: "This login needs a response of the server first.",
  "aws-sigv4": "The signature depends on the time. Send it with curl through the proxy.",
  "time-cond": "Write the header If-Modified-Since instead.", "continue-at": "Write the header Range instead.",
  next: "The command has several requests. Paste one at a time.", quote: "This belongs to FTP.", append: "This belongs to FTP.",
  "request-target": "The target of the request is a part of the URL here.", "unix-socket": "Compose only speaks TCP.",
  "abstract-unix-socket": "Compose only speaks TCP.", "tr-encoding": "Write the header TE instead.",
  "form-escape": "Compose writes names of forms as browsers do.", "etag-compare": "The page cannot read files of this machine.",
};
const withValue = words("request header data data-ascii data-raw data-binary data-urlencode json form form-string user cookie user-agent "
  + "referer range url url-query oauth2-bearer");
const flags = words("get head insecure location location-trusted post301 post302 post303 compressed http1.0 http2 http2-prior-knowledge http3 http3-only");

/** Whether a text seems to be a command line of curl. @param {string} text */
export function looksLikeCurl(text) {
  return /^(?:\s*#[^\n]*\n)*\s*(?:[$%]\s+)?(?:\w+=\S*\s+)*(?:\S*\/)?curl(?:\.exe)?\s/.test(text);
}

/**
 * Reads a command of curl, as people write it and as browsers copy it (“Copy as cURL”).
 *
 * @param {string} text
 * @returns {{request: WrittenRequest, remarks: string[]}} Remarks name the differences from curl's own request.
 */
export function readCurl(text) {
  const command = text.trim().replace(/^[$%]\s+/, "");
  if (/\^\r?\n|\^"/.test(command) && !command.includes("'")) throw new Problem({ title: "This is a command of Windows (cmd)",
    remedy: "Choose “Copy as cURL (bash)” in the browser." });
  const { words: all, remarks } = readCommand(command);
  while (all.length > 0 && /^\w+=/.test(all[0])) all.shift();
  if (!/(?:^|\/)curl(?:\.exe)?$/.test(all[0] ?? "")) throw new Problem({ title: "This is no command line of curl",
    detail: `expected curl, found “${(all[0] ?? "").slice(0, 40)}”` });
  const line = new CurlLine(remarks);
  line.read(all.slice(1));
  return { request: line.request(), remarks: line.remarks };
}

/** The options of one command line. All texts are bytes, one character each. */
class CurlLine {
  method = "";
  /** @type {string[]} */
  urls = [];
  /** @type {string[]} */
  headers = [];
  /** @type {string[]} */
  data = [];
  isJSON = false;
  /** @type {string[] | null} */
  parts = null;
  /** @type {string[]} */
  cookies = [];
  /** @type {string[]} */
  queries = [];
  /** @type {Record<string, string>} */
  one = {};
  /** @type {Set<string>} */
  on = new Set();

  /** @param {string[]} remarks */
  constructor(remarks) {
    this.remarks = remarks;
  }

  /** @param {string[]} all */
  read(all) {
    let onlyURLs = false;
    for (let at = 0; at < all.length; at += 1) {
      const word = all[at];
      const next = (/** @type {string} */ name) => {
        at += 1;
        if (at >= all.length) throw new Problem({ title: `${name} has no value`, remedy: "Copy the whole command." });
        return all[at];
      };
      if (onlyURLs || !word.startsWith("-") || word === "-") this.urls.push(word);
      else if (word === "--") onlyURLs = true;
      else if (word.startsWith("--")) this.#long(word.slice(2), next);
      else this.#short(word, next);
    }
  }

  #long(word, next) {
    const isOff = word.startsWith("no-");
    const name = isOff && !takesValue(word.slice(3)) ? word.slice(3) : word;
    if (takesValue(name)) this.#take(name, next(`--${name}`), `--${word}`);
    else this.#flag(name, isOff, `--${word}`);
  }

  #short(word, next) {
    for (let at = 1; at < word.length; at += 1) {
      const name = Object.hasOwn(shorts, word[at]) ? shorts[word[at]] : "";
      const shown = `-${word[at]}`;
      if (!name) throw unknown(shown);
      if (takesValue(name)) return this.#take(name, word.slice(at + 1) || next(shown), shown);
      this.#flag(name === "no-buffer" ? "buffer" : name, false, shown);
    }
  }

  #flag(name, isOff, shown) {
    if (refused[name] && !isOff) throw new Problem({ title: `${shown} cannot be followed here`, detail: refused[name] });
    if (name.startsWith("netrc") && !isOff) throw new Problem({ title: `${shown} cannot be followed here`, detail: refused.netrc });
    if (elsewhere.has(name)) this.#elsewhere(shown);
    else if (flags.has(name) || silent.has(name)) {
      if (isOff) this.on.delete(name);
      else this.on.add(name);
    } else throw unknown(shown);
  }

  #take(name, value, shown) {
    const file = (/** @type {string} */ text) => {
      if (text.startsWith("@")) throw new Problem({ title: `${shown} reads the file ${textOf(text.slice(1)) || "(none)"}`,
        detail: "A page cannot read files of this machine by their names.",
        remedy: text === "@-" ? "Write the text that curl would read from its standard input." : "Choose the file as the body, or paste its text." });
      return text;
    };
    if (refused[name]) throw new Problem({ title: `${shown} cannot be followed here`, detail: refused[name] });
    if (elsewhereWithValue.has(name)) return this.#elsewhere(shown);
    if (silentWithValue.has(name)) return undefined;
    switch (name) {
      case "request": this.method = value; break;
      case "url": this.urls.push(value); break;
      case "header": this.headers.push(file(value)); break;
      case "data": case "data-ascii": case "data-binary": this.#addData(file(value)); break;
      case "data-raw": this.#addData(value); break;
      case "data-urlencode": this.#addData(encodedPair(value, shown)); break;
      case "json":
        // curl joins the values of --json without a separator.
        if (this.isJSON && this.data.length > 0) this.data[this.data.length - 1] += file(value);
        else this.data.push(file(value));
        this.isJSON = true;
        break;
      case "url-query": this.queries.push(value.startsWith("+") ? value.slice(1) : encodedPair(value, shown)); break;
      case "form": (this.parts ??= []).push(formPart(value, shown)); break;
      case "form-string": (this.parts ??= []).push(literalPart(value, shown)); break;
      case "cookie":
        if (!value.includes("=")) throw new Problem({ title: `${shown} reads cookies from the file ${textOf(value) || "(none)"}`,
          detail: "A page cannot read files of this machine by their names.", remedy: "Write them as name=value." });
        this.cookies.push(value);
        break;
      default: this.one[name] = value;
    }
    return undefined;
  }

  #addData(text) {
    this.data.push(text);
  }

  #elsewhere(shown) {
    this.remarks.push(`${shown} is left out: the proxy, or this system if it is sent directly, decides about the way and TLS.`);
  }

  /** @returns {WrittenRequest} */
  request() {
    if (this.urls.length !== 1) throw new Problem({ title: this.urls.length === 0 ? "The command has no URL" : "The command has several URLs",
      detail: this.urls.length === 0 ? undefined : this.urls.map(textOf).join(" ").slice(0, 200), remedy: "Paste a command with one URL." });
    const isData = this.data.length > 0;
    const isQuery = this.on.has("get");
    if (isData && this.parts) throw new Problem({ title: "The command has a body (-d) and a form (-F)", detail: "curl refuses this, too." });
    if (this.on.has("head") && (isData || this.parts) && !isQuery) throw new Problem({ title: "The command has a body and --head",
      detail: "curl refuses this, too." });
    const { url, login } = this.#url(isQuery ? this.data.join("&") : "");
    const body = isQuery ? "" : this.parts ? "" : this.data.join("&");
    const form = this.parts && multipart(this.parts);
    const hasBody = !isQuery && (isData || form);
    const content = form?.body ?? body;
    const { fields, addsFields } = this.#fields(login, hasBody ? form?.type ?? (this.isJSON ? "" : "application/x-www-form-urlencoded") : "", hasBody && content === "");
    const written = editableBody(Uint8Array.from(content, (byte) => byte.charCodeAt(0)));
    this.#tellDifferences();
    return { method: textOf(this.method) || (this.on.has("head") ? "HEAD" : hasBody ? "POST" : "GET"), url, fields,
      ...written, http2: this.on.has("http2"), addsFields };
  }

  #tellDifferences() {
    if (this.on.has("insecure")) this.remarks.push("-k is left out: accept a certificate of one server in the settings, or send it through the proxy.");
    if (this.on.has("location") || this.on.has("location-trusted")) this.remarks.push("-L is left out: no redirect is followed.");
    if (this.on.has("http1.0")) this.remarks.push("HTTP/1.0 is left out: HTTP/1.1 is spoken.");
    if (this.on.has("http3") || this.on.has("http3-only")) this.remarks.push("HTTP/3 is left out: HTTP/1.1 or HTTP/2 is spoken.");
  }

  /** The URL with the parts of the query that options add, and its login. @param {string} more */
  #url(more) {
    // trim() would also take U+00A0, which is the last byte of “à” here.
    let url = this.urls[0].replace(/^[ \t\r\n]+|[ \t\r\n]+$/g, "");
    if (!this.on.has("globoff")) url = unglobbed(url);
    if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(url) && !url.startsWith("{{")) url = `http://${url}`;
    url = url.split("#")[0];
    for (const query of [...(more ? [more] : []), ...this.queries]) url += (url.includes("?") ? url.endsWith("?") || url.endsWith("&") ? "" : "&" : "?") + query;
    let login = this.one.user;
    const found = /^([a-z][a-z0-9+.-]*:\/\/)([^/?#@]*)@/i.exec(url);
    if (found) {
      url = url.replace(found[0], found[1]);
      login ??= found[2].replace(/%([0-9a-f]{2})/gi, (_, code) => String.fromCharCode(parseInt(code, 16)));
    }
    if (login !== undefined && !login.includes(":")) {
      // curl asks for the password of -u, but accepts an empty one in a URL.
      if (this.one.user !== undefined) throw new Problem({ title: "curl would ask for a password", detail: `-u ${textOf(login)} has none`,
        remedy: "Write -u name:password, or a variable: -u name:{{password}}." });
      login += ":";
    }
    // A variable gets its value later, so Base64 cannot contain it.
    if (login?.includes("{{")) {
      url = url.replace("://", `://${login}@`);
      login = undefined;
    }
    if (!this.on.has("path-as-is")) url = withoutDots(url);
    const text = utf8Of(url);
    if (text === null) throw new Problem({ title: "The URL is not UTF-8", remedy: "Write its bytes as %XX." });
    return { url: text, login };
  }

  /** The fields in the order in which curl sends them. If `isWhole`, an empty body has a Content-Length, too. */
  #fields(login, contentType, isWhole) {
    /** @type {[string, string][]} */
    const own = [];
    const gone = new Set();
    for (const line of this.headers) {
      const colon = line.indexOf(":");
      if (colon < 0) {
        // A semicolon at the end sends a field without a value; curl ignores any other line without a colon.
        if (/^[^\s;]+;$/.test(line)) own.push([line.slice(0, -1), ""]);
        else this.remarks.push(`curl ignores the header “${textOf(line).slice(0, 60)}”, which has no colon.`);
        continue;
      }
      const [name, value] = [line.slice(0, colon), line.slice(colon + 1).replace(/^[ \t]+|[ \t]+$/g, "")];
      if (value === "") gone.add(name.toLowerCase());
      else own.push([name, value]);
    }
    const has = (/** @type {string} */ name) => gone.has(name) || own.some(([other]) => other.toLowerCase() === name);
    if (this.isJSON && !has("content-type")) own.push(["Content-Type", "application/json"]);
    if (this.isJSON && !has("accept")) own.push(["Accept", "application/json"]);
    const referer = this.one.referer?.replace(/;auto$/, "");
    /** @type {[string, string | undefined][]} */
    const before = [["Authorization", this.one["oauth2-bearer"] !== undefined ? `Bearer ${this.one["oauth2-bearer"]}`
      : login === undefined ? undefined : `Basic ${btoa(login)}`],
    ["User-Agent", this.one["user-agent"] || undefined], ["Range", this.one.range && `bytes=${this.one.range}`],
    ["Accept-Encoding", this.on.has("compressed") ? "deflate, gzip, br, zstd" : undefined], ["Referer", referer || undefined],
    ["Cookie", this.cookies.length > 0 ? this.cookies.join(";") : undefined]];
    const lacks = (/** @type {string} */ name, isEmpty = false) => isEmpty || gone.has(name);
    const addsFields = !isWhole && !lacks("user-agent", this.one["user-agent"] === "") && !lacks("accept");
    const fields = before.filter(([name, value]) => value && !has(name.toLowerCase()));
    if (!addsFields && !lacks("accept") && !has("accept")) fields.push(["Accept", "*/*"]);
    if (!addsFields && !lacks("user-agent", this.one["user-agent"] === "") && !has("user-agent") && !this.one["user-agent"]) fields.push(["User-Agent", "pinhole"]);
    fields.push(...own);
    if (contentType && !has("content-type")) fields.push(["Content-Type", contentType]);
    for (const [name, value] of fields) if (utf8Of(`${name}${value}`) === null) throw new Problem({
      title: `The header ${textOf(name)} is not UTF-8`, remedy: "Compose writes headers as UTF-8." });
    // The sender computes the length.
    return { addsFields, fields: fields.filter(([name]) => name.toLowerCase() !== "content-length")
      .map(([name, value]) => ({ name: textOf(name), value: textOf(value ?? ""), isOn: true })) };
  }
}

/** The URL without curl's escapes. Refuses […] and {…} that are lists of URLs; {{name}} is a variable of Compose. @param {string} url */
function unglobbed(url) {
  const plain = url.replace(/\{\{[\w.-]+\}\}/g, "").replace(/^([a-z]+:\/\/)?([^/?#@]*@)?\[[^\]/]*\]/i, "$1");
  if (/(^|[^\\])[[\]{}]/.test(plain)) throw new Problem({ title: "curl makes several requests of […] and {…} in a URL",
    detail: textOf(url).slice(0, 200), remedy: "Add -g if they are meant as they stand." });
  return url.replace(/\\([[\]{}])/g, "$1");
}

/** The URL without “.” and “..” in its path (RFC 3986 §5.2.4). @param {string} url */
function withoutDots(url) {
  const found = /^([^/]*\/\/[^/?]*)(\/[^?]*)([\s\S]*)$/.exec(url);
  if (!found || !/\/\.\.?(\/|$)/.test(found[2])) return url;
  /** @type {string[]} */
  const kept = [];
  const parts = found[2].split("/").slice(1);
  parts.forEach((part, index) => {
    const isLast = index === parts.length - 1;
    if (part === "..") kept.pop();
    if (part === "." || part === "..") {
      if (isLast) kept.push("");
    } else kept.push(part);
  });
  return `${found[1]}/${kept.join("/")}${found[3]}`;
}

/** The result of --data-urlencode for `content`, `=content` and `name=content`. */
function encodedPair(value, shown) {
  const equals = value.indexOf("=");
  const sign = value.indexOf("@");
  if (equals < 0 && sign >= 0) throw new Problem({ title: `${shown} reads the file ${textOf(value.slice(sign + 1))}`,
    detail: "A page cannot read files of this machine by their names.", remedy: "Paste its text." });
  const [name, content] = equals < 0 ? ["", value] : [value.slice(0, equals), value.slice(equals + 1)];
  // A variable gets its value later, so its name stays unencoded.
  const encoded = content.replace(/\{\{[\w.-]+\}\}|[^A-Za-z0-9\-._~]/g, (found) => found.length > 1 ? found
    : found === " " ? "+" : `%${found.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`);
  return name ? `${name}=${encoded}` : encoded;
}

/** One part of a multipart body. @param {string} value `name=content;type=…;filename=…` */
function formPart(value, shown) {
  const equals = value.indexOf("=");
  if (equals < 0) throw new Problem({ title: `${shown} expects name=content`, detail: `found “${textOf(value).slice(0, 60)}”` });
  const [name, rest] = [value.slice(0, equals), value.slice(equals + 1)];
  if (/^[@<]/.test(rest)) throw new Problem({ title: `${shown} reads the file ${textOf(rest.slice(1).split(";")[0])}`,
    detail: "A page cannot read files of this machine by their names.", remedy: "Write its content: name=content." });
  const quoted = /^"((?:[^"\\]|\\[\s\S])*)"/.exec(rest);
  const content = quoted ? quoted[1].replace(/\\(["\\])/g, "$1") : rest.split(";")[0];
  /** @type {Record<string, string>} */
  const settings = {};
  const more = rest.slice(quoted ? quoted[0].length : content.length);
  for (const [, key, plain, inQuotes] of more.matchAll(/;\s*(type|filename|headers|encoder)=(?:"((?:[^"\\]|\\.)*)"|([^;]*))/g)) settings[key] = plain ?? inQuotes;
  if (settings.headers || settings.encoder || (settings.filename && !settings.type)) throw new Problem({
    title: `${shown} has settings that are not read here`, detail: "Read are name=content, ;type=, and ;filename= beside ;type=." });
  return part(name, content, settings);
}

function literalPart(value, shown) {
  const equals = value.indexOf("=");
  if (equals < 0) throw new Problem({ title: `${shown} expects name=content` });
  return part(value.slice(0, equals), value.slice(equals + 1), {});
}

function part(name, content, { type, filename }) {
  const quoted = (/** @type {string} */ text) => `"${text.replaceAll('"', "%22").replaceAll("\r", "%0D").replaceAll("\n", "%0A")}"`;
  return `Content-Disposition: form-data; name=${quoted(name)}${filename ? `; filename=${quoted(filename)}` : ""}\r\n`
    + `${type ? `Content-Type: ${type}\r\n` : ""}\r\n${content}\r\n`;
}

function multipart(parts) {
  const boundary = `------------------------${[...crypto.getRandomValues(new Uint8Array(11))].map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
  return { type: `multipart/form-data; boundary=${boundary}`, body: `${parts.map((one) => `--${boundary}\r\n${one}`).join("")}--${boundary}--\r\n` };
}

function takesValue(name) {
  return withValue.has(name) || silentWithValue.has(name) || elsewhereWithValue.has(name)
    || ["upload-file", "config", "aws-sigv4", "time-cond", "continue-at", "quote", "request-target", "unix-socket", "abstract-unix-socket",
      "netrc-file", "etag-compare"].includes(name);
}

function unknown(shown) {
  return new Problem({ title: `${textOf(shown)} is an option that is not read here`, remedy: "Take it out of the command, or send it with curl through the proxy." });
}

/** Bytes as readable text. @param {string} bytes */
function textOf(bytes) {
  return utf8Of(bytes) ?? bytes;
}

/** @param {string} text @returns {Set<string>} */
function words(text) {
  return new Set(text.split(" "));
}
