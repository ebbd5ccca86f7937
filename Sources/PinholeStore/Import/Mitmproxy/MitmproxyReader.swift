import PinholeModel

/// Reads a flow file of mitmproxy, flow by flow.
struct MitmproxyReader {
    private let source: ByteSource
    private let receiver: any ImportReceiver

    /// The format of mitmproxy 4, the first that is numbered independently of mitmproxy's own version.
    static let oldest: Int64 = 4
    /// The format of mitmproxy 11 and 12.
    static let newest: Int64 = 21

    /// Creates a reader of `source`.
    init(_ source: ByteSource, _ receiver: any ImportReceiver) {
        self.source = source
        self.receiver = receiver
    }

    /// Reads to the end of the file.
    func read() throws {
        var join = MitmproxyWebSocketJoin(limit: receiver.settings.limits.textBytes / 4)
        do {
            try readFlows(with: &join)
        } catch let fault as SyntaxFault {
            // The flows before a fault are read, held ones too.
            try finish(join)
            throw fault
        }
        try finish(join)
    }

    private func readFlows(with join: inout MitmproxyWebSocketJoin) throws {
        var isTold = false
        while source.peek != nil {
            let start = source.offset
            let flow = try TNetstringReader.read(source, limits: receiver.settings.limits)
            let held = MitmproxyWebSocketJoin.Held(
                offset: start,
                flow: flow,
                length: Int(source.offset - start)
            )
            guard let version = flow["version"]?.integer, version >= Self.oldest else {
                receiver.leaveOut(
                    "\(held.place): a flow of a mitmproxy before 4; convert it with mitmdump -nr OLD -w NEW"
                )
                continue
            }
            if version > Self.newest, !isTold {
                isTold = true
                receiver.remark(
                    "\(held.place): format \(version); formats up to \(Self.newest) are known, others may lose something"
                )
            }
            let type = flow["type"]?.text ?? "http"
            switch join.add(held, type: type, version: version) {
            case .held: break
            case .joined(let exchange): try take(exchange)
            case .leftOut: leaveOut(held)
            case .unrelated where type == "http": try take(held)
            case .unrelated:
                receiver.leaveOut("\(held.place): a flow of the type \(type), which has no exchange")
            }
        }
    }

    private func finish(_ join: MitmproxyWebSocketJoin) throws {
        for handshake in join.handshakes { try take(handshake) }
        join.orphans.forEach(leaveOut)
    }

    private func take(_ held: MitmproxyWebSocketJoin.Held) throws {
        try receiver.take(held.place) { () throws(ImportRefusal) in
            try MitmproxyFlowReader(held.flow, receiver.settings).exchange()
        }
    }

    private func leaveOut(_ messages: MitmproxyWebSocketJoin.Held) {
        receiver.leaveOut(
            "\(messages.place): the messages of a WebSocket whose handshake is not in the file"
        )
    }
}
