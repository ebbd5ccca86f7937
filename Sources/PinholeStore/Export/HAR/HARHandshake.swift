import PinholeModel

/// A failed handshake without an exchange, for which HAR has no place.
struct HARHandshake {
    private let flow: FlowRecord
    private let handshake: HandshakeRecord
    private let failure: HandshakeFailure

    /// Creates the description; `nil` for a handshake that did not fail.
    init?(flow: FlowRecord, handshake: HandshakeRecord) {
        guard let failure = handshake.failure else { return nil }
        self.flow = flow
        self.handshake = handshake
        self.failure = failure
    }

    /// Writes the object.
    func write(to json: inout JSONText) {
        json.object { json in
            json.member("startedDateTime", ISO8601.text(handshake.started))
            json.member("time", milliseconds: handshake.duration)
            json.member("_flow", flow.id.rawValue)
            json.member("_with", handshake.peer.rawValue)
            if let authority = flow.authority { json.member("authority", authority) }
            if let name = handshake.serverName { json.member("serverName", name) }
            json.member("client", flow.client)
            if let user = flow.proxyUser { json.member("proxyUser", user) }
            if let process = flow.clientProcess { json.member("clientProcess", process.name) }
            if let server = flow.server { json.member("server", server) }
            json.member("cause", failure.cause.rawValue)
            json.member("isHint", failure.isHint)
            if let side = failure.endedBy { json.member("endedBy", side.rawValue) }
            if let alert = failure.alert { json.member("alert", alert.description) }
            json.member("bytesAfterHandshake", failure.bytesAfterHandshake)
            json.member("comment", failure.detail)
        }
    }
}
