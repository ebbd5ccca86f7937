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
        let limits = receiver.readerLimits
        let fallback = receiver.fallback
        let hostNames = receiver.hostNames
        var isTold = false
        while source.peek != nil {
            let place = "byte \(source.offset)"
            let flow = try TNetstringReader.read(source, limits: limits)
            guard let version = flow["version"]?.integer, version >= Self.oldest else {
                receiver.leaveOut(
                    "\(place): a flow of a mitmproxy before 4; convert it with mitmdump -nr OLD -w NEW"
                )
                continue
            }
            let type = flow["type"]?.text ?? "http"
            guard type == "http" else {
                receiver.leaveOut("\(place): a flow of the type \(type), which has no exchange")
                continue
            }
            if version > Self.newest, !isTold {
                isTold = true
                receiver.remark(
                    "\(place): format \(version); formats up to \(Self.newest) are known, others may lose something"
                )
            }
            try receiver.take(place) { () throws(ImportRefusal) in
                try MitmproxyFlowReader(flow, limits: limits, fallback: fallback, hostNames: hostNames)
                    .exchange()
            }
        }
    }
}
