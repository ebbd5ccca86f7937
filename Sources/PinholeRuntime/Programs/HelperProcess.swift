/// A helper process that reports in lines, and ends when its input is closed.
package final class HelperProcess: Sendable {
    /// An event of the helper.
    package enum Event: Sendable {
        /// A line of its output.
        case line(String)
        /// A line of its standard error.
        case complaint(String)
        /// The reason of its end, which is the last event.
        case ended(String)
    }

    /// The reason of an end without a failure.
    package static let success = ProgramProcess.reason(ofCode: 0)

    /// The events, in their order.
    package let events: AsyncStream<Event>
    private let process: ProgramProcess

    /// Starts a helper.
    ///
    /// - Parameter command: The program and its arguments.
    /// - Throws: ``SystemFailure`` when the program cannot be started.
    package init(_ command: [String]) throws(SystemFailure) {
        let (events, continuation) = AsyncStream.makeStream(of: Event.self)
        self.events = events
        let listeners = ProgramProcess.Listeners(
            line: { continuation.yield(.line(String(decoding: $0, as: UTF8.self))) },
            complaint: { continuation.yield(.complaint($0)) },
            end: { reason in
                continuation.yield(.ended(reason))
                continuation.finish()
            }
        )
        process = try ProgramProcess(command, in: "", listeners)
    }

    /// Sends a line.
    package func say(_ line: String) { _ = process.write(Array("\(line)\n".utf8)) }

    /// Closes the input, so that the helper ends.
    package func closeInput() { process.closeInput() }
}
