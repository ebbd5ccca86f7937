import PinholeModel

/// Writes the JSON of a flow without `Encodable`.
///
/// The text is that of `JSONText.encoding(_:)`, member by member; a test compares both. An encoder of `Encodable` calls
/// a function through a table for every member and element, which took 177,000 instructions for one flow.
extension FlowCoder {
    /// Returns the JSON of a ``Row``, in UTF-8; a row in memory took three copies of the record.
    static func text(of flow: FlowRecord, _ client: Certificates?, _ server: Certificates?) -> [UInt8] {
        var json = JSONText(reserving: usualLength)
        json.object { json in
            json.name("flow")
            json.object { $0.members(of: flow) }
            json.member("clientCertificates", client)
            json.member("serverCertificates", server)
        }
        return json.bytes
    }

    /// The room for the JSON of most flows, so that it is not moved while it grows.
    private static let usualLength = 4 << 10
}

extension JSONText {
    fileprivate mutating func members(of flow: FlowRecord) {
        member("id", flow.id.rawValue)
        member("opened", flow.opened.microseconds)
        present("closed", flow.closed?.microseconds)
        present("client", flow.client)
        member("clientProcess", flow.clientProcess) { json, process in
            json.member("pid", Int64(process.pid))
            json.present("name", process.name)
            json.present("path", process.path)
        }
        present("proxyUser", flow.proxyUser)
        present("listener", flow.listener)
        present("listenerKind", flow.listenerKind?.rawValue)
        member("inbound", flow.inbound) { json, inbound in
            json.present("version", inbound.version)
            json.present("cipher", inbound.cipher)
            json.present("applicationProtocol", inbound.applicationProtocol)
            json.present("connection", inbound.connection?.rawValue)
            json.present("stream", inbound.stream.map { Int64($0) })
        }
        present("authority", flow.authority)
        present("treatment", flow.treatment?.rawValue)
        present("reason", flow.reason)
        present("server", flow.server)
        present("nextHop", flow.nextHop)
        name("dials")
        array { json in
            for dial in flow.dials { json.object { $0.members(of: dial) } }
        }
        member("clientHello", flow.clientHello) { $0.members(of: $1) }
        member("clientHandshake", flow.clientHandshake) { $0.members(of: $1) }
        member("serverHandshake", flow.serverHandshake) { $0.members(of: $1) }
        member("clientEnd", flow.clientEnd) { json, end in
            json.present("kind", end.kind.rawValue)
            json.member("alert", end.alert) { $0.members(of: $1) }
            json.member("elapsed", end.elapsed.microseconds)
            json.member("sentData", end.sentData)
        }
        member("bytesFromClient", flow.bytesFromClient)
        member("bytesFromServer", flow.bytesFromServer)
        member("exchanges", Int64(flow.exchanges))
        member("outcome", flow.outcome) { json, outcome in
            json.present("kind", outcome.kind.rawValue)
            json.present("fault", outcome.fault?.rawValue)
            json.present("detail", outcome.detail)
        }
    }

    private mutating func members(of dial: DialRecord) {
        present("address", dial.address)
        member("started", dial.started.microseconds)
        member("duration", dial.duration.microseconds)
        present("failure", dial.failure)
    }

    private mutating func members(of hello: ClientHelloRecord) {
        present("serverName", hello.serverName)
        name("applicationProtocols")
        array { json in
            for name in hello.applicationProtocols { json.string(name) }
        }
        member("versions", hello.versions)
        member("cipherSuites", hello.cipherSuites)
        member("extensions", hello.extensions)
        member("groups", hello.groups)
        if let shares = hello.keyShares { member("keyShares", shares) }
        member("signatureSchemes", hello.signatureSchemes)
        present("ja4", hello.ja4)
    }

    /// Writes a handshake, whose certificates are elsewhere in the row.
    private mutating func members(of handshake: HandshakeRecord) {
        present("peer", handshake.peer.rawValue)
        member("started", handshake.started.microseconds)
        member("duration", handshake.duration.microseconds)
        present("version", handshake.version)
        present("cipher", handshake.cipher)
        present("group", handshake.group)
        if let groups = handshake.offeredGroups { member("offeredGroups", groups) }
        if let shares = handshake.offeredShares { member("offeredShares", shares) }
        present("applicationProtocol", handshake.applicationProtocol)
        present("serverName", handshake.serverName)
        member("isResumed", handshake.isResumed)
        member("presentedChain", [] as [Int64])
        member("validatedChain", [] as [Int64])
        present("verification", handshake.verification)
        present("exemption", handshake.exemption)
        member("requestedClientCertificate", handshake.requestedClientCertificate)
        member("failure", handshake.failure) { json, failure in
            json.present("cause", failure.cause.rawValue)
            json.member("isHint", failure.isHint)
            json.present("endedBy", failure.endedBy?.rawValue)
            json.member("alert", failure.alert) { $0.members(of: $1) }
            json.member("bytesAfterHandshake", failure.bytesAfterHandshake)
            json.present("detail", failure.detail)
        }
    }

    private mutating func members(of alert: Alert) {
        member("code", Int64(alert.code))
        member("isFatal", alert.isFatal)
    }

    /// Writes the numbers of the certificates of a handshake; nothing if there are none.
    fileprivate mutating func member(_ name: String, _ certificates: FlowCoder.Certificates?) {
        member(name, certificates) { json, certificates in
            json.member("presented", certificates.presented)
            json.member("validated", certificates.validated)
            json.present("client", certificates.client)
        }
    }

    private mutating func member(_ name: String, _ numbers: [Int64]) {
        self.name(name)
        array { json in
            for number in numbers { json.element(number) }
        }
    }

    /// Writes a member that is an object; nothing if there is none.
    private mutating func member<Value>(
        _ name: String,
        _ value: Value?,
        _ members: (inout JSONText, Value) -> Void
    ) {
        guard let value else { return }
        self.name(name)
        object { members(&$0, value) }
    }

    private mutating func present(_ name: String, _ text: String?) {
        if let text { member(name, text) }
    }

    private mutating func present(_ name: String, _ number: Int64?) {
        if let number { member(name, number) }
    }
}
