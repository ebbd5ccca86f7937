import PinholeFiles
package import PinholeFilter
package import PinholeModel
package import PinholeSession
package import PinholeStore
package import PinholeWire

/// The capture that a console shows, and the proxy that records into it, if one runs.
package struct ConsoleSubject: Sendable {
    /// The proxy's certificate authority.
    package struct Authority: Sendable, Codable {
        /// The path of the authority's certificate.
        let path: String
        /// The SHA-256 of the certificate, in hexadecimal digits.
        let sha256: String
        /// The time at which the certificate expires.
        let notAfter: String

        /// Creates the description of an authority.
        package init(path: String, sha256: String, notAfter: Timestamp) {
            self.path = path
            self.sha256 = sha256
            self.notAfter = notAfter.iso8601
        }
    }

    /// The path of the capture.
    package var capture: String
    /// The addresses on which the proxy listens; empty without a proxy.
    package var proxy: [String] = []
    /// The proxy's certificate authority.
    package var authority: Authority?
    /// The control of the proxy; `nil` without a proxy.
    package var control: (any LocalProxyControl)?
    /// The filters that are saved under names at the start; the filters of a proxy win.
    package var filters = SavedFilters()
    /// The commands that lead clients through the proxy, or through a new one that records into the capture.
    package var commands: [ClientCommand] = []
    /// The paths that another part of the program adds to the API, such as those of the lessons.
    package var routes: [ConsoleRoute] = []
    /// Whether the API refuses every change, except by paths that are for readers.
    package var isReadOnly = false
    /// The store into which the proxy records; `nil` if nothing is recorded here.
    package var store: CaptureStore?
    /// The messages of the proxy; `nil` without a proxy.
    package var journal: ConsoleJournal?
    /// The declarations of Protocol Buffers that name fields; `nil` for none.
    package var protobuf: ProtobufSchema?
    /// The folder of the documentation site; `nil` if no site is installed.
    package var manual: String?
    /// The time at which the console was started.
    package var started: Timestamp

    /// Creates the subject of a capture without a proxy.
    package init(capture: String, started: Timestamp) {
        self.capture = capture
        self.started = started
    }

    /// Returns a path as the page shows it: readers do not need to know the folders of the owner's machine.
    func shown(_ path: String) -> String { isReadOnly ? FilePath.name(of: path) : path }
}
