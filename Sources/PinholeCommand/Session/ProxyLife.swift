import Glibc
import Logging
import PinholeModel
import PinholeSession

/// Handles the signals of a running proxy.
struct ProxyLife {
    let proxy: ProxySession
    let logger: Logger
    let load: () throws(CommandFailure) -> Configuration

    /// Waits until the proxy is to end: the first SIGTERM or SIGINT lets open tunnels finish, the second cuts them.
    ///
    /// - Parameters:
    ///   - configuration: The configuration of the proxy.
    ///   - signals: The signals as they arrive.
    func last(_ configuration: Configuration, _ signals: AsyncStream<Int32>) async {
        var current = configuration
        var draining: Task<Void, Never>?
        // The stream ends when draining is done.
        let (events, continuation) = AsyncStream.makeStream(of: Int32?.self)
        let forwarding = Task {
            for await signal in signals { continuation.yield(signal) }
        }
        defer { forwarding.cancel() }
        for await signal in events {
            switch signal {
            case SIGHUP:
                current = reload(current)
            case nil:
                return
            default:
                guard draining == nil else { return proxy.stop() }
                reportOpenTunnels()
                draining = Task { [proxy] in
                    await proxy.drain()
                    continuation.yield(nil)
                }
            }
        }
    }

    /// Writes which connections delay the end of the proxy.
    ///
    /// A user who presses Ctrl-C at a terminal gets this message even with `--quiet`.
    private func reportOpenTunnels() {
        let count = proxy.tunnelCount
        guard count > 0 else { return }
        let text =
            "waiting up to \(Plain.duration(proxy.drainTimeout)) for \(Plain.count(count, "open connection")); "
            + "press Ctrl-C again, or send the signal again, to end at once"
        if isatty(STDERR_FILENO) == 1 {
            StandardError.write("pinhole: \(text)")
        } else {
            logger.notice("\(text)")
        }
    }

    private func reload(_ old: Configuration) -> Configuration {
        do throws(CommandFailure) {
            let new = try load()
            try proxy.adopt(new)
            let stale = old.keysThatNeedRestart(comparedTo: new)
            logger.notice("the configuration was read again")
            for remark in new.remarksOnFilters { logger.warning("\(remark)") }
            if !stale.isEmpty {
                logger.warning(
                    "these keys changed, and count from the next start on: \(stale.joined(separator: ", "))"
                )
            }
            return old.adopting(new)
        } catch {
            // A log has one line for each message.
            let remedy = Remedy.clause(error.remedy)
            logger.error("the configuration stays as it was: \(error.message)\(remedy)")
            return old
        }
    }
}

extension Configuration {
    /// Returns the keys that differ and are read only at the start.
    func keysThatNeedRestart(comparedTo new: Configuration) -> [String] {
        var keys: [String] = []
        if proxy.listen != new.proxy.listen { keys.append("proxy.listen") }
        if authority != new.authority { keys.append("ca") }
        if resolve != new.resolve { keys.append("resolve") }
        var capture = capture
        capture.takeFilter(of: new.capture)
        if capture != new.capture { keys.append("capture") }
        if console != new.console { keys.append("console") }
        if telemetry != new.telemetry { keys.append("telemetry") }
        if limits != new.limits { keys.append("limits (those of the whole proxy)") }
        return keys
    }

    /// Returns the new configuration with the old values of settings that are read only at the start.
    func adopting(_ new: Configuration) -> Configuration {
        var result = new
        result.proxy.listen = proxy.listen
        result.authority = authority
        result.resolve = resolve
        result.capture = capture
        result.capture.takeFilter(of: new.capture)
        result.console = console
        result.telemetry = telemetry
        result.limits = limits
        return result
    }
}

extension Configuration.Capture {
    /// Takes the filter of another configuration.
    fileprivate mutating func takeFilter(of other: Configuration.Capture) {
        (filter, filterText, filterFlag) = (other.filter, other.filterText, other.filterFlag)
    }
}
