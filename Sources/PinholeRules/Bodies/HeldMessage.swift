package import PinholeModel

/// A message that is held, with all of its content, until somebody has decided about it.
package struct HeldMessage: Sendable, Equatable {
    /// The exchange, by its number in the capture.
    package var exchange: ExchangeID?
    /// The request, as it is sent on, or was.
    package let request: RuleRequest
    /// The response, as it is sent on; `nil` where it is the request that is held.
    package let response: RuleResponse?
    /// What rules do with it, in their order.
    package let tasks: [MessageTask]
    /// The content as it came: with its content codings, and without chunks.
    package var body: [UInt8] = []

    /// Creates a message without content.
    package init(request: RuleRequest, response: RuleResponse? = nil, tasks: [MessageTask]) {
        self.request = request
        self.response = response
        self.tasks = tasks
    }

    /// The field lines of the message that is held.
    package var fields: HeaderFields { response?.fields ?? request.fields }

    /// Whether it may have content: the answer to HEAD, 204 and 304 have none (RFC 9110 §6.4.1).
    ///
    /// - Parameter status: The status that it has by now; `nil` where that is as it came.
    /// - Returns: Whether it may.
    package func mayHaveContent(as status: Int?) -> Bool {
        guard let response else { return true }
        return request.method != "HEAD" && RuleResponse.mayHaveContent(status ?? response.status)
    }

    /// Whether only its head is there, since nobody wants more.
    package var isHeadAlone: Bool { !tasks.contains(where: \.wantsBody) }

    /// How long those may take who have something to do with it.
    package var patience: Duration { tasks.reduce(.zero) { $0 + $1.patience } }
}
