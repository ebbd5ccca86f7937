package import PinholeModel
package import PinholeStore

extension ExchangeRecord {
    /// An exchange without heads and bodies.
    package init(_ summary: ExchangeSummary) {
        self.init(
            id: summary.id,
            flow: summary.flow,
            scheme: summary.scheme,
            authority: summary.authority,
            method: summary.method,
            path: summary.path,
            request: MessageRecord(head: []),
            timings: summary.timings
        )
        request.body = summary.requestBody
        status = summary.status
        outcome = summary.outcome
        notes = summary.notes
        messages = summary.messages
        guard let body = summary.responseBody else { return }
        var message = MessageRecord(head: [])
        message.body = body
        response = message
    }
}
