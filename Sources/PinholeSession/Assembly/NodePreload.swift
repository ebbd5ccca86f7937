/// A script that Node.js loads before a program, and that leads its connections through the proxy.
///
/// Node before 24 does not read the variables of a proxy, and an agent of the program's own does not in any version.
/// The script therefore acts below HTTP, in `net` and `tls`, by which `http`, `https`, `http2`, `fetch` and
/// `WebSocket` all connect. Programs of some names are started by a script, which makes browsers trust the CA.
package enum NodePreload {
    /// The variable that names the script by which browsers are started.
    package static let browserVariable = "PINHOLE_BROWSER"

    // A socket of `net` connects to the proxy, and emits `connect` once the proxy has opened the tunnel. TLS
    // takes over the descriptor of such a socket at once, before the tunnel is open, so it gets the tunnel
    // as a stream.
    /// Returns the script, for a file whose name ends in `.cjs`; the environment names the proxy.
    ///
    /// - Parameter browsers: The names of programs that the script of ``browserVariable`` starts.
    /// - Returns: The text.
    package static func script(browsers: [String] = []) -> String {
        #"""
        "use strict";
        const net = require("node:net");
        const tls = require("node:tls");
        const path = require("node:path");
        const { ChildProcess } = require("node:child_process");
        const { Duplex } = require("node:stream");

        const proxy = new URL(process.env.HTTPS_PROXY || process.env.https_proxy || "none:");
        const proxyHost = proxy.hostname;
        const proxyPort = Number(proxy.port || 80);
        const login = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`;
        const authorization =
          login === ":" ? "" : `Proxy-Authorization: Basic ${Buffer.from(login).toString("base64")}\r\n`;
        const headLimit = 65536;
        const connect = net.Socket.prototype.connect;
        const connectSecurely = tls.connect;

        /** What connect() was called with: (options), (port, host) or (path), and perhaps a listener. */
        function callOf(args) {
          const list = Array.isArray(args[0]) ? args[0] : args;
          const [first, second] = list;
          const listener = list.findLast((one) => typeof one === "function");
          if (first !== null && typeof first === "object") return { options: { ...first }, listener };
          if (typeof first === "string" && !(Number(first) >= 0)) return { options: { path: first }, listener };
          const more = list.find((one) => one !== null && typeof one === "object");
          return { options: { port: first, host: typeof second === "string" ? second : undefined, ...more }, listener };
        }

        /** Whether a connection goes through the proxy: each one by TCP, but to the proxy itself. */
        function isLed({ path, socket, fd, host = "localhost", port }) {
          if (path || socket || fd !== undefined) return false;
          return Number(port) !== proxyPort || (host !== proxyHost && host !== "localhost");
        }

        function targetOf({ host = "localhost", port }) {
          return `${String(host).includes(":") ? `[${host}]` : host}:${port}`;
        }

        function failure(status, target) {
          const code = { 502: "ECONNREFUSED", 504: "ETIMEDOUT" }[status] ?? "ECONNRESET";
          const error = new Error(`connect ${code} ${target} (the proxy answered CONNECT with ${status})`);
          return Object.assign(error, { code, syscall: "connect" });
        }

        /** Asks for a tunnel once `socket` is connected, and lets the program know of the connection when the tunnel stands. */
        function openTunnel(socket, target) {
          const held = [];
          let head = Buffer.alloc(0);
          socket.push = (bytes) => {
            head = bytes === null ? head : Buffer.concat([head, bytes]);
            const end = head.indexOf("\r\n\r\n");
            if (end < 0 && bytes !== null && head.length <= headLimit) return true;
            delete socket.push;
            delete socket.emit;
            const status = end < 0 ? "nothing" : Number(head.toString("latin1", 9, 12));
            if (!(status >= 200 && status <= 299)) {
              socket.destroy(failure(status, target));
              return false;
            }
            socket.connecting = false;
            for (const event of held) socket.emit(...event);
            const rest = head.subarray(end + 4);
            return rest.length > 0 ? socket.push(rest) : true;
          };
          const emit = socket.emit;
          socket.emit = (name, ...args) => {
            if (name !== "connect" && name !== "ready") return emit.call(socket, name, ...args);
            held.push([name, ...args]);
            if (name === "ready") return true;
            const request = `CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n${authorization}\r\n`;
            socket._writeGeneric(false, request, "latin1", (error) => {
              if (error) socket.destroy(error);
            });
            // Writes of the program wait while the socket is connecting.
            socket.connecting = true;
            socket._handle.reading = true;
            socket._handle.readStart();
            return true;
          };
        }

        function ledConnect(...args) {
          const { options, listener } = callOf(args);
          if (this instanceof tls.TLSSocket || !isLed(options)) return connect.apply(this, args);
          openTunnel(this, targetOf(options));
          const { lookup, localAddress, localPort, family, hints, ...kept } = options;
          const led = { ...kept, host: proxyHost, port: proxyPort };
          return listener ? connect.call(this, led, listener) : connect.call(this, led);
        }

        /** A tunnel as a stream, for TLS inside of it. */
        class TunnelStream extends Duplex {
          constructor({ host, port }) {
            super({ allowHalfOpen: true });
            this.socket = new net.Socket().connect({ host, port });
            this.socket.setNoDelay(true);
            this.socket.on("data", (bytes) => {
              if (!this.push(bytes)) this.socket.pause();
            });
            this.socket.on("end", () => this.push(null));
            this.socket.on("error", (error) => this.destroy(error));
            this.socket.on("close", () => this.destroy());
          }
          _read() {
            this.socket.resume();
          }
          _write(bytes, encoding, done) {
            this.socket.write(bytes, encoding, done);
          }
          _final(done) {
            this.socket.end(done);
          }
          _destroy(error, done) {
            this.socket.destroy();
            done(error);
          }
        }

        function ledConnectSecurely(...args) {
          const { options, listener } = callOf(args);
          if (!isLed(options)) return connectSecurely.apply(this, args);
          const stream = new TunnelStream(options);
          const led = { ...options, socket: stream };
          const socket = listener ? connectSecurely.call(this, led, listener) : connectSecurely.call(this, led);
          stream.on("error", (error) => socket.destroy(error));
          // A connection that waits in a pool lets the program end.
          for (const name of ["ref", "unref"]) {
            const own = socket[name];
            socket[name] = function () {
              stream.socket[name]();
              return own.call(this);
            };
          }
          return socket;
        }

        const browsers = new Set(\#(browsers));
        const browserScript = process.env.\#(browserVariable);

        /** Whether a program is a browser or its driver, by the name of its file. */
        function isBrowser(file) {
          return typeof file === "string" && browsers.has(path.basename(file));
        }

        // Playwright and Puppeteer start browsers by their paths. The script makes those trust the CA, too.
        if (browserScript) {
          const spawn = ChildProcess.prototype.spawn;
          ChildProcess.prototype.spawn = function (options) {
            if (!isBrowser(options?.file)) return spawn.call(this, options);
            const args = ["/bin/sh", browserScript, options.file, ...(options.args ?? []).slice(1)];
            return spawn.call(this, { ...options, file: "/bin/sh", args });
          };
        }

        // Without a proxy, or in an older version, the program goes on as it would without the script.
        if (proxy.protocol === "http:" && Number(process.versions.node.split(".")[0]) >= 18) {
          net.Socket.prototype.connect = ledConnect;
          tls.connect = ledConnectSecurely;
          require("node:module").syncBuiltinESMExports();
        }

        """#
    }
}
