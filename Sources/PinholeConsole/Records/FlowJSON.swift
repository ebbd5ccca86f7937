package import PinholeModel

/// A flow in lists and while traffic passes.
package struct FlowJSON: Encodable {
    let type = "flow"
    let id: Int64
    let opened: String
    let closed: String?
    let client: String
    let clientProcess: ClientProcess?
    let proxyUser: String?
    let listenerKind: String?
    let authority: String?
    let server: String?
    let nextHop: String?
    let treatment: String?
    let reason: String?
    let outcome: String?
    let fault: String?
    let detail: String?
    let handshakeFailure: HandshakeFailureJSON?
    let exchanges: Int
    let bytesFromClient: Int64
    let bytesFromServer: Int64

    private enum CodingKeys: CodingKey {
        case type, id, opened, closed, client, clientProcess, proxyUser, listenerKind, authority, server,
            nextHop, treatment, reason, outcome, fault, detail
        case handshakeFailure, exchanges, bytesFromClient, bytesFromServer
    }

    /// Takes the facts of a flow.
    package init(_ record: FlowRecord) {
        id = record.id.rawValue
        opened = record.opened.iso8601Milliseconds
        closed = record.closed?.iso8601Milliseconds
        client = record.client
        clientProcess = record.clientProcess
        proxyUser = record.proxyUser
        listenerKind = record.listenerKind?.rawValue
        authority = record.authority
        server = record.server
        nextHop = record.nextHop
        treatment = record.treatment?.rawValue
        reason = record.reason
        outcome = record.outcome?.kind.rawValue
        fault = record.outcome?.fault?.rawValue
        detail = record.outcome?.detail
        handshakeFailure = record.failedHandshake.flatMap(HandshakeFailureJSON.init)
        exchanges = record.exchanges
        bytesFromClient = record.bytesFromClient
        bytesFromServer = record.bytesFromServer
    }
}
