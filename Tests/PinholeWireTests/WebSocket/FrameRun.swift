import PinholeModel
import PinholeWire

/// What a reader makes of bytes that come in chunks, independent of how payload was split.
struct FrameRun: Equatable {
    /// A frame and as much of its payload as came, as it came.
    struct Frame: Equatable {
        var head: WebSocketFrameHead
        var payload: [UInt8] = []
        var hasEnded = false
    }

    private(set) var frames: [Frame] = []
    private(set) var failure: WebSocketFailure?
    /// What was not read: a part of a header, a control frame that is not whole, or what followed a fault.
    private(set) var rest: [UInt8] = []

    init(_ bytes: [UInt8], chunk: Int, from sender: Side, agreement: WebSocketAgreement = .init()) {
        var reader = WebSocketReader(from: sender, agreement: agreement)
        var input = ByteQueue()
        for start in stride(from: 0, to: bytes.count, by: chunk) {
            input.append(bytes[start..<min(start + chunk, bytes.count)])
            guard failure == nil else { continue }
            do throws(WebSocketFailure) {
                while let element = try reader.next(input.bytes) { take(element, &input) }
            } catch {
                failure = error
            }
        }
        rest = input.prefix()
    }

    private mutating func take(_ element: WebSocketElement, _ input: inout ByteQueue) {
        switch element {
        case .head(let head):
            frames.append(Frame(head: head))
            input.consume(head.headerLength)
        case .payload(let count):
            frames[frames.count - 1].payload += input.prefix(count)
            input.consume(count)
        case .end: frames[frames.count - 1].hasEnded = true
        }
    }
}
