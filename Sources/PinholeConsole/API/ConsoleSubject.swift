package import PinholeFilter
import PinholeLock
package import PinholeModel
package import PinholeRuntime
package import PinholeStore

/// What a console shows: a capture, and the proxy that records into it where there is one.
package struct ConsoleSubject: Sendable {
    /// The proxy's certificate authority.
    package struct Authority: Sendable, Encodable {
        private enum CodingKeys: CodingKey { case path, sha256, notAfter }

        /// The file of its certificate.
        let path: String
        /// The SHA-256 of the certificate, in hexadecimal digits.
        let sha256: String
        /// Until when it is valid.
        let notAfter: String

        /// Takes the facts of an authority.
        package init(path: String, sha256: String, notAfter: Timestamp) {
            self.path = path
            self.sha256 = sha256
            self.notAfter = notAfter.iso8601
        }
    }

    /// Lets the proxy record, or not.
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

    /// What the proxy records.
    package struct Scope: Sendable, Encodable {
        /// The filter of what is recorded; empty for everything.
        let filter: String
        /// How many exchanges were left out.
        let leftOut: Int64

        /// Takes what is recorded.
        package init(filter: String, leftOut: Int64) {
            self.filter = filter
            self.leftOut = leftOut
        }
    }

    /// The filters that others call by their names.
    package struct Filters: Sendable {
        let saved: @Sendable () -> SavedFilters
        let set: @Sendable (_ name: String, _ text: String?) -> Problem?

        /// Creates filters.
        ///
        /// - Parameters:
        ///   - saved: How they stand.
        ///   - set: Saves one under a name, or removes the one that has it; says why not, or `nil`.
        package init(
            saved: @escaping @Sendable () -> SavedFilters,
            set: @escaping @Sendable (_ name: String, _ text: String?) -> Problem?
        ) {
            self.saved = saved
            self.set = set
        }

        /// Filters that last as long as the console.
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

    /// What the proxy runs with.
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
        ///   - facts: What people want to know of it.
        ///   - passthrough: The hosts that are not intercepted.
        ///   - setPassthrough: Uses other ones for tunnels that begin from now on; says why not, or `nil`.
        ///   - setScope: Records what another filter means of what begins from now on; says why not, or `nil`.
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

    /// The rules that the proxy runs with.
    package struct Rules: Sendable {
        let listing: @Sendable () -> RuleListing
        let replace: @Sendable (_ texts: [String], _ revision: Int?) -> Problem?

        /// Creates rules.
        ///
        /// - Parameters:
        ///   - listing: How they stand.
        ///   - replace: Lets others count from now on, each as JSON, unless they changed since the revision; says why
        ///     not, or `nil`.
        package init(
            listing: @escaping @Sendable () -> RuleListing,
            replace: @escaping @Sendable (_ texts: [String], _ revision: Int?) -> Problem?
        ) {
            self.listing = listing
            self.replace = replace
        }
    }

    /// Opens browsers through the proxy.
    package struct Browsers: Sendable {
        let listing: @Sendable () -> BrowserListing
        let open:
            @Sendable (_ name: String?, _ page: String?) async -> Result<BrowserListing.Running, Problem>
        let end: @Sendable (_ id: Int64) async -> Bool

        /// Creates what opens browsers.
        ///
        /// - Parameters:
        ///   - listing: Which can be opened, and which run.
        ///   - open: Opens one of those that are listed, or the first, with a page or without; returns when it runs.
        ///   - end: Ends one, and tells whether it ran.
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

    /// Keeps settings in the configuration file.
    package struct Keeper: Sendable {
        let preview: @Sendable () -> Result<SettingsFile, Problem>
        let write: @Sendable (_ fingerprint: String) -> Result<SettingsFile, Problem>

        /// Creates a keeper.
        ///
        /// - Parameters:
        ///   - preview: What would be written.
        ///   - write: Writes it, where the file still has the fingerprint.
        package init(
            preview: @escaping @Sendable () -> Result<SettingsFile, Problem>,
            write: @escaping @Sendable (_ fingerprint: String) -> Result<SettingsFile, Problem>
        ) {
            self.preview = preview
            self.write = write
        }
    }

    /// The file of the capture.
    package var capture: String
    /// Where the proxy listens; empty where there is none.
    package var proxy: [String] = []
    /// What it asks its clients for; `nil` where it asks for nothing.
    package var login: (user: String, password: String)?
    /// Its authority.
    package var authority: Authority?
    /// Its switch; `nil` where nothing is recorded here.
    package var recording: Recording?
    /// The filters that others call by their names.
    package var filters = Filters.lasting(SavedFilters())
    /// What it runs with; `nil` where there is none.
    package var settings: Settings?
    /// Sends a message in a WebSocket that stands; `nil` where there is no proxy.
    package var sendMessage: (@Sendable (OwnMessage) async -> OwnMessage.Outcome)?
    /// Ends the exchange or flow with a number, and tells whether it went on; `nil` where there is no proxy.
    package var abort: (@Sendable (Int64) async -> Bool)?
    /// Its rules; `nil` where there is none.
    package var rules: Rules?
    /// Opens browsers through it; `nil` where there is none.
    package var browsers: Browsers?
    /// The functions by which programs join the proxy; `nil` without a proxy.
    package var runs: Runs?
    /// The commands that lead clients through the proxy, or through a new one that records into the capture.
    package var commands: [ClientCommand] = []
    /// The TLS settings of single servers; `nil` without a proxy.
    package var trust: Trust?
    /// Where its settings are kept; `nil` where there is none.
    package var keeper: Keeper?
    /// What the proxy records into; `nil` where nothing is recorded here.
    package var store: CaptureStore?
    /// What it holds at breakpoints; `nil` where there is none.
    package var breakpoints: BreakpointBoard?
    /// What it said; `nil` where there is none.
    package var journal: ConsoleJournal?
    /// The folder of the documentation site; `nil` if no site is installed.
    package var manual: String?
    /// When it was started.
    package var started: Timestamp

    /// Creates the subject of a capture alone.
    package init(capture: String, started: Timestamp) {
        self.capture = capture
        self.started = started
    }
}
