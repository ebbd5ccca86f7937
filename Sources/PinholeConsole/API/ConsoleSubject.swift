package import PinholeClass
import PinholeFiles
package import PinholeFilter
import PinholeLock
package import PinholeModel
package import PinholeRuntime
package import PinholeStore
package import PinholeWire

/// The capture that a console shows, and the proxy that records into it, if one runs.
package struct ConsoleSubject: Sendable {
    /// The proxy's certificate authority.
    package struct Authority: Sendable, Encodable {
        private enum CodingKeys: CodingKey { case path, sha256, notAfter }

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

    /// The switch that starts and stops recording.
    package struct Recording: Sendable {
        let isOn: @Sendable () -> Bool
        let set: @Sendable (Bool) -> Void
        let scope: @Sendable () -> Scope

        /// Creates a switch.
        package init(
            isOn: @escaping @Sendable () -> Bool,
            set: @escaping @Sendable (Bool) -> Void,
            scope: @escaping @Sendable () -> Scope = { Scope(filter: "", leftOut: 0) }
        ) {
            self.isOn = isOn
            self.set = set
            self.scope = scope
        }
    }

    /// The part of the traffic that the proxy records.
    package struct Scope: Sendable, Encodable {
        /// The filter that selects what is recorded; empty for everything.
        let filter: String
        /// The number of exchanges that the filter left out.
        let leftOut: Int64

        /// Creates a scope.
        package init(filter: String, leftOut: Int64) {
            self.filter = filter
            self.leftOut = leftOut
        }
    }

    /// The filters that are saved under names.
    package struct Filters: Sendable {
        let saved: @Sendable () -> SavedFilters
        let set: @Sendable (_ name: String, _ text: String?) -> Problem?

        /// Creates the functions that read and change saved filters.
        ///
        /// - Parameters:
        ///   - saved: Returns the current filters.
        ///   - set: Saves a filter under a name, or removes it if the text is `nil`; returns the failure or `nil`.
        package init(
            saved: @escaping @Sendable () -> SavedFilters,
            set: @escaping @Sendable (_ name: String, _ text: String?) -> Problem?
        ) {
            self.saved = saved
            self.set = set
        }

        /// Creates filters that are kept in memory, as long as the console runs.
        package static func lasting(_ filters: SavedFilters) -> Filters {
            let current = Shared(Lock(filters))
            return Filters(
                saved: { current.value.withLock { $0 } },
                set: { name, text in
                    current.value.withLock { filters in
                        do throws(Problem) {
                            filters = try filters.setting(name, to: text)
                            return nil
                        } catch {
                            return error
                        }
                    }
                }
            )
        }
    }

    /// The settings of the running proxy.
    package struct Settings: Sendable {
        let file: String?
        let facts: @Sendable () -> [(name: String, value: String)]
        let passthrough: @Sendable () -> [String]
        let setPassthrough: @Sendable ([String]) -> String?
        let setScope: @Sendable (String) -> String?

        /// Creates settings.
        ///
        /// - Parameters:
        ///   - file: The configuration file; `nil` for none.
        ///   - facts: Returns names and values that describe the proxy.
        ///   - passthrough: Returns the hosts that are not intercepted.
        ///   - setPassthrough: Replaces these hosts for new tunnels; returns the failure or `nil`.
        ///   - setScope: Replaces the filter of what is recorded from now on; returns the failure or `nil`.
        package init(
            file: String?,
            facts: @escaping @Sendable () -> [(name: String, value: String)],
            passthrough: @escaping @Sendable () -> [String],
            setPassthrough: @escaping @Sendable ([String]) -> String?,
            setScope: @escaping @Sendable (String) -> String?
        ) {
            self.file = file
            self.facts = facts
            self.passthrough = passthrough
            self.setPassthrough = setPassthrough
            self.setScope = setScope
        }
    }

    /// The rules of the running proxy.
    package struct Rules: Sendable {
        let listing: @Sendable () -> RuleListing
        let replace: @Sendable (_ texts: [String], _ revision: Int?) -> Problem?
        let forms: @Sendable () -> RuleForms
        let check: @Sendable (_ text: String, _ index: Int?) -> Result<RuleReading, RuleMistake>

        /// Creates the functions that read and replace rules.
        ///
        /// - Parameters:
        ///   - listing: Returns the current rules.
        ///   - replace: Replaces the rules by these, each as JSON, unless they changed since the revision; returns the
        ///     failure or `nil`.
        ///   - forms: Returns the kinds of rules with their keys.
        ///   - check: Reads a rule in the place of the one with this index, or behind all others; returns its meaning
        ///     or its mistake.
        package init(
            listing: @escaping @Sendable () -> RuleListing,
            replace: @escaping @Sendable (_ texts: [String], _ revision: Int?) -> Problem?,
            forms: @escaping @Sendable () -> RuleForms,
            check: @escaping @Sendable (_ text: String, _ index: Int?) -> Result<RuleReading, RuleMistake>
        ) {
            self.listing = listing
            self.replace = replace
            self.forms = forms
            self.check = check
        }
    }

    /// The functions that open browsers through the proxy.
    package struct Browsers: Sendable {
        let listing: @Sendable () -> BrowserListing
        let open:
            @Sendable (_ name: String?, _ page: String?) async -> Result<BrowserListing.Running, Problem>
        let end: @Sendable (_ id: Int64) async -> Bool

        /// Creates the functions that list, open and end browsers.
        ///
        /// - Parameters:
        ///   - listing: Returns the browsers that can be opened, and the ones that run.
        ///   - open: Opens a listed browser, or the first one, with or without a page; returns when the browser runs.
        ///   - end: Ends a browser, and returns whether it ran.
        package init(
            listing: @escaping @Sendable () -> BrowserListing,
            open:
                @escaping @Sendable (_ name: String?, _ page: String?) async -> Result<
                    BrowserListing.Running, Problem
                >,
            end: @escaping @Sendable (_ id: Int64) async -> Bool
        ) {
            self.listing = listing
            self.open = open
            self.end = end
        }
    }

    /// The TLS settings of single servers: accepted bad certificates, and client certificates.
    package struct Trust: Sendable {
        let listing: @Sendable () -> TrustListing
        let accept: @Sendable (_ host: String, _ isAccepted: Bool) -> Problem?
        let present: @Sendable (_ host: String, _ content: [UInt8], _ password: String) -> Problem?
        let withdraw: @Sendable (_ host: String) -> Problem?

        /// Creates the functions that read the settings, and change them until the proxy ends.
        ///
        /// - Parameters:
        ///   - listing: Returns the settings.
        ///   - accept: Begins or ceases to accept a bad certificate of a server; returns a failure or `nil`.
        ///   - present: Presents a client certificate with its key to a server; returns a failure or `nil`.
        ///   - withdraw: Ceases to present a client certificate to a server; returns a failure or `nil`.
        package init(
            listing: @escaping @Sendable () -> TrustListing,
            accept: @escaping @Sendable (_ host: String, _ isAccepted: Bool) -> Problem?,
            present: @escaping @Sendable (_ host: String, _ content: [UInt8], _ password: String) -> Problem?,
            withdraw: @escaping @Sendable (_ host: String) -> Problem?
        ) {
            self.listing = listing
            self.accept = accept
            self.present = present
            self.withdraw = withdraw
        }
    }

    /// The functions that keep settings in the configuration file.
    package struct Keeper: Sendable {
        let preview: @Sendable () -> Result<SettingsFile, Problem>
        let write: @Sendable (_ fingerprint: String) -> Result<SettingsFile, Problem>

        /// Creates a keeper.
        ///
        /// - Parameters:
        ///   - preview: Returns the file as it is and as it would be written.
        ///   - write: Writes the file if the preview still has the fingerprint.
        package init(
            preview: @escaping @Sendable () -> Result<SettingsFile, Problem>,
            write: @escaping @Sendable (_ fingerprint: String) -> Result<SettingsFile, Problem>
        ) {
            self.preview = preview
            self.write = write
        }
    }

    /// The path of the capture.
    package var capture: String
    /// The addresses on which the proxy listens; empty without a proxy.
    package var proxy: [String] = []
    /// The user name and password that the proxy requires of its clients; `nil` if it requires none.
    package var login: (user: String, password: String)?
    /// The proxy's certificate authority.
    package var authority: Authority?
    /// The proxy's switch for recording; `nil` if nothing is recorded here.
    package var recording: Recording?
    /// The filters that are saved under names.
    package var filters = Filters.lasting(SavedFilters())
    /// The proxy's settings; `nil` without a proxy.
    package var settings: Settings?
    /// Sends a message in an open WebSocket; `nil` without a proxy.
    package var sendMessage: (@Sendable (OwnMessage) async -> OwnMessage.Outcome)?
    /// Ends the exchange or flow with a number, and returns whether it was running; `nil` without a proxy.
    package var abort: (@Sendable (Int64) async -> Bool)?
    /// Returns the counts of the proxy's traffic, as Prometheus reads them; `nil` without a proxy.
    package var metrics: (@Sendable () -> String?)?
    /// The proxy's rules; `nil` without a proxy.
    package var rules: Rules?
    /// Opens browsers through the proxy; `nil` without a proxy.
    package var browsers: Browsers?
    /// The functions by which programs join the proxy; `nil` without a proxy.
    package var runs: Runs?
    /// The commands that lead clients through the proxy, or through a new one that records into the capture.
    package var commands: [ClientCommand] = []
    /// Returns the ways in which clients connect, and what came from each kind; `nil` without a proxy.
    package var connect: (@Sendable () -> ConnectListing)?
    /// The TLS settings of single servers; `nil` without a proxy.
    package var trust: Trust?
    /// The lessons of `pinhole class`; `nil` if the console belongs to no class.
    package var lessons: ClassCheck?
    /// Whether the API changes nothing but the results of the lessons.
    package var isReadOnly = false
    /// The keeper of the settings; `nil` without a proxy.
    package var keeper: Keeper?
    /// The store into which the proxy records; `nil` if nothing is recorded here.
    package var store: CaptureStore?
    /// The messages that the proxy holds at breakpoints; `nil` without a proxy.
    package var breakpoints: BreakpointBoard?
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

    /// Returns a path as the page shows it: students do not need to know the folders of the teacher's machine.
    func shown(_ path: String) -> String { isReadOnly ? FilePath.name(of: path) : path }
}
