import PinholeModel

/// One request of the tour: what is asked, and what has to come of it.
struct DemoStep: Sendable {
    /// What curl and the proxy saw.
    struct Sight: Sendable {
        /// What curl saw.
        var curl: DemoCurl.Run
        /// What the proxy recorded.
        var proxy: DemoWatch.Sighting

        /// The recorded flow; the last where there are several.
        var flow: FlowRecord? { proxy.flows.last }
        /// The recorded exchange; the last where there are several.
        var exchange: ExchangeRecord? { proxy.exchanges.last }
        /// Why the handshake with the client failed.
        var clientFailure: HandshakeFailure? { flow?.clientHandshake?.failure }
        /// Why the handshake with the server failed.
        var serverFailure: HandshakeFailure? { flow?.serverHandshake?.failure }
        /// The recorded body of the response, as far as it lies in the record.
        var responseBody: BodyRecord? { exchange?.response?.body }
    }

    /// A few words.
    var title: String
    /// What is about to happen, in a sentence or two.
    var explanation: String
    /// What is typed after `curl`.
    var words: [String]
    /// How many lines of the answer are shown.
    var shownLines = 0
    /// Whether it belongs to the short tour.
    var isInShortTour = false
    /// What is done before, such as a change of the configuration.
    var preparation: (@Sendable (DemoStage) throws -> Void)?
    /// What must be so afterwards.
    var expectations: @Sendable (Sight) -> [DemoExpectation]
}
