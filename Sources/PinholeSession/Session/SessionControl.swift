import PinholeFilter
import PinholeModel
package import PinholeProxy
package import PinholeRuntime

/// The control of the proxy of this process.
struct SessionControl: LocalProxyControl {
    let proxy: ProxySession

    let journal: ConsoleJournal

    /// The configuration file; `nil` for none.
    let file: String?

    /// The addresses on which the proxy listens.
    let bound: [ListeningPoint]

    /// The commands for clients of this machine; `nil` if clients get none.
    let lines: [ClientCommands.Line]?

    /// The programs that have joined the proxy.
    let runs: JoinedRuns

    var isRecording: Bool { proxy.sink.isRecording }

    var scope: RecordingScope {
        RecordingScope(filter: proxy.settings.capture.filterInUse, leftOut: proxy.leftOut)
    }

    var savedFilters: SavedFilters { proxy.settings.filters }

    var metrics: String? { proxy.sink.metrics }

    var breakpoints: HeldMessages { proxy.breakpoints }

    /// The address at which clients of this machine reach the proxy; `nil` if it has no listener for them.
    var address: Authority? { ListeningPoint.address(of: bound) }

    /// Whether the proxy requires a user name and a password.
    var asksForPassword: Bool {
        let settings = proxy.settings.proxy
        return settings.credentials != nil || settings.users != nil
    }
}

extension ProxySession {
    /// Returns the control of this proxy, which listens.
    ///
    /// - Parameters:
    ///   - bound: The addresses on which the proxy listens.
    ///   - file: The configuration file, which the control can write; `nil` for none.
    ///   - journal: Receives a line for each change.
    /// - Returns: The control, for a console or any other caller in this process.
    package func control(
        of bound: [ListeningPoint],
        file: String?,
        _ journal: ConsoleJournal
    ) -> any LocalProxyControl {
        SessionControl(
            proxy: self,
            journal: journal,
            file: file,
            bound: bound,
            lines: lines(of: bound),
            runs: JoinedRuns(self, points: bound.filter { $0.mode.isProxy }.map(\.address.description))
        )
    }

    /// Returns the commands for clients of this machine; `nil` if clients get none.
    ///
    /// - Parameter bound: The addresses on which the proxy listens.
    /// - Returns: The commands, one for each kind of client.
    package func lines(of bound: [ListeningPoint]) -> [ClientCommands.Line]? {
        ListeningPoint.address(of: bound).flatMap { address in
            commands?.lines(at: address.description, isPublic: false)
        }
    }
}
