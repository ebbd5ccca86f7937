import Glibc
import PinholeConsole
import PinholeLock
import PinholeRuntime
import PinholeSession

/// The conversation with an agent on standard input and output: a message a line, in both directions.
struct AgentConversation {
    /// The bytes of a message; of a longer one nothing is kept, and the agent is told.
    private static let lineBytes = 4 << 20
    /// The messages that are answered side by side, and their bytes; beyond that, no more lines are read.
    private static let (most, mostBytes) = (64, 16 << 20)

    private let session: AgentSession

    init(_ session: AgentSession) { self.session = session }

    /// Answers the lines of standard input, until it ends and all answers are written.
    ///
    /// A long audit must not keep quick questions waiting, so answers may come in any order.
    func run() async {
        var lines = InputLines(limit: Self.lineBytes)
        let output = Lock(())
        let write = { @Sendable (answer: [UInt8]) in
            output.withLock { (_: inout Void) -> Void in
                _ = FileDescriptorOutput.write(answer + [0x0a], to: STDOUT_FILENO)
            }
        }
        await withTaskGroup(of: Int.self) { group in
            var (running, bytes) = (0, 0)
            while let line = await lines.next() {
                guard case .message(let line) = line else {
                    write(AgentSession.tooLong(Self.lineBytes))
                    continue
                }
                while running >= Self.most || (running > 0 && bytes + line.count > Self.mostBytes) {
                    bytes -= await group.next() ?? 0
                    running -= 1
                }
                let work = session.take(line)
                (running, bytes) = (running + 1, bytes + line.count)
                group.addTask {
                    if let answer = await work() { write(answer) }
                    return line.count
                }
            }
        }
    }
}

/// The lines of standard input, without their ends.
private struct InputLines {
    enum Line {
        case message([UInt8])
        /// A line that is longer than what is kept.
        case tooLong
    }

    /// The longest line that is kept.
    let limit: Int
    private let queue = WorkQueue("pinhole.mcp.input")
    private var rest: [UInt8] = []
    /// The bytes of ``rest`` that have no end of a line.
    private var searched = 0
    /// Whether the beginning of a line that is too long was thrown away.
    private var isTooLong = false
    private var hasEnded = false

    init(limit: Int) { self.limit = limit }

    /// Returns the next line that is not empty; `nil` at the end.
    mutating func next() async -> Line? {
        while true {
            if let end = rest[searched...].firstIndex(of: 0x0a) {
                let line = Array(rest[..<end])
                rest.removeSubrange(...end)
                searched = 0
                if isTooLong || line.count > limit {
                    isTooLong = false
                    return .tooLong
                }
                if line.contains(where: { $0 > 0x20 }) { return .message(line) }
                continue
            }
            searched = rest.count
            if rest.count > limit {
                isTooLong = true
                rest = []
                searched = 0
            }
            guard !hasEnded else {
                let last = rest
                rest = []
                searched = 0
                if isTooLong {
                    isTooLong = false
                    return .tooLong
                }
                return last.contains { $0 > 0x20 } ? .message(last) : nil
            }
            let more = await read()
            hasEnded = more.isEmpty
            rest += more
        }
    }

    /// Reads some bytes; none at the end.
    private func read() async -> [UInt8] {
        await withCheckedContinuation { continuation in
            queue.perform {
                var buffer = [UInt8](repeating: 0, count: 64 << 10)
                while true {
                    let count = Glibc.read(STDIN_FILENO, &buffer, buffer.count)
                    if count < 0, errno == EINTR { continue }
                    return continuation.resume(returning: Array(buffer.prefix(max(0, count))))
                }
            }
        }
    }
}
