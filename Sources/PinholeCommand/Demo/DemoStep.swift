import PinholeModel

/// A request of the tour: the command, and the expected results.
struct DemoStep: Sendable {
    /// The exit code, the body and the measurements of a run of curl.
    struct Answer: Sendable {
        /// The exit code.
        var exit: Int32
        /// The bytes on standard output.
        var body: [UInt8]
        /// The error message; empty for none.
        var complaint: String
        /// The status of the last response; 0 for none.
        var status: Int
        /// The number of followed redirects.
        var redirects: Int
        /// The time from the first byte to the end, in seconds.
        var streaming: Double

        var text: String { String(decoding: body, as: UTF8.self) }
    }

    /// The observations of curl and of the proxy.
    struct Sight: Sendable {
        /// The result of curl.
        var curl: Answer
        /// The records of the proxy.
        var proxy: DemoWorld.Records

        /// The recorded flow; the last one if there are several.
        var flow: FlowRecord? { proxy.flows.last }
        /// The recorded exchange; the last one if there are several.
        var exchange: ExchangeRecord? { proxy.exchanges.last }
        /// The failure of the handshake with the client; `nil` if it succeeded.
        var clientFailure: HandshakeFailure? { flow?.clientHandshake?.failure }
        /// The failure of the handshake with the server; `nil` if it succeeded.
        var serverFailure: HandshakeFailure? { flow?.serverHandshake?.failure }
        /// The recorded body of the response, as far as the record contains it.
        var responseBody: BodyRecord? { exchange?.response?.body }
    }

    /// A short title.
    var title: String
    /// An explanation of the step, in one or two sentences.
    var explanation: String
    /// The arguments of `curl`.
    var words: [String]
    /// The number of lines of the answer that are shown.
    var shownLines = 0
    /// Whether the step is part of the short tour.
    var isInShortTour = false
    /// The preparation of the step, such as a change of the configuration; `nil` for none.
    var preparation: (@Sendable (DemoWorld) async throws -> Void)?
    /// Returns the expectations, each with its result for the observations.
    var expectations: @Sendable (Sight) -> [DemoExpectation]
}
