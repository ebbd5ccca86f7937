import Glibc
import PinholeLock
import PinholeRuntime
import PinholeStore

/// An export whose bytes are produced while the client reads.
///
/// The writer is blocked on one end of a socket pair until the other end is read, so an export of any length needs
/// only the memory of one piece. The export starts with the first requested piece.
final class ExportSource: BodySource {
    private struct State {
        var readEnd: Int32 = -1
        var isStarted = false
        var isOver = false
        var failure: (any Error)?
        /// The first piece, which was read before anybody asked for a piece.
        var first: BodyPiece?
    }

    private static let pieceBytes = 128 << 10

    private let slots: AnswerSlots
    private let write: @Sendable (Int32, _ isCancelled: @escaping @Sendable () -> Bool) throws -> Void
    private let state = Lock(State())
    private let reading = WorkQueue("pinhole.export.reading")

    /// Creates an export, for which the caller has taken a slot.
    ///
    /// - Parameters:
    ///   - slots: The slots, to which the export gives its slot back.
    ///   - write: Writes the export to a descriptor, on a thread of its own, until it is cancelled.
    init(
        _ slots: AnswerSlots,
        _ write: @escaping @Sendable (Int32, _ isCancelled: @escaping @Sendable () -> Bool) throws -> Void
    ) {
        self.slots = slots
        self.write = write
    }

    deinit { cancel() }

    /// Waits for the first piece, so that an export that cannot begin is answered with its reason.
    ///
    /// - Throws: The error of the writer, if it wrote nothing.
    func begin() async throws {
        let first = await withCheckedContinuation { continuation in
            reading.perform { [self] in continuation.resume(returning: piece()) }
        }
        let failure = state.withLock { state in
            state.first = first
            return state.failure
        }
        guard first.sequel == .failure else { return }
        throw failure ?? CaptureFailure.cancelled
    }

    func next(_ done: @escaping @Sendable (BodyPiece) -> Void) {
        let first = state.withLock { $0.first.take() }
        if let first { return done(first) }
        reading.perform { [self] in done(piece()) }
    }

    func cancel() {
        let (descriptor, isNew) = state.withLock { state in
            let isNew = !state.isOver
            state.isOver = true
            defer { state.readEnd = -1 }
            return (state.readEnd, isNew)
        }
        // The writer learns of the end from its next write.
        if descriptor >= 0 {
            shutdown(descriptor, Int32(SHUT_RDWR))
            reading.perform { close(descriptor) }
        }
        if isNew { slots.release() }
    }

    private func piece() -> BodyPiece {
        guard let descriptor = start() else { return BodyPiece([], then: .failure) }
        var bytes = [UInt8](repeating: 0, count: Self.pieceBytes)
        var count = 0
        repeat {
            count = read(descriptor, &bytes, bytes.count)
        } while count < 0 && errno == EINTR
        if count > 0 { return BodyPiece(Array(bytes.prefix(count)), then: .next) }
        let didFail = state.withLock { $0.failure != nil } || count < 0
        cancel()
        return BodyPiece([], then: didFail ? .failure : .end)
    }

    /// Returns the descriptor to read from; the first call starts the writer.
    private func start() -> Int32? {
        let begins = state.withLock { state in
            defer { state.isStarted = true }
            return !state.isStarted && !state.isOver
        }
        if begins {
            var ends: [Int32] = [-1, -1]
            guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0
            else {
                return nil
            }
            let writeEnd = ends[1]
            state.withLock { $0.readEnd = ends[0] }
            WorkQueue("pinhole.export.writing").perform { [self] in
                do {
                    try write(writeEnd) { [self] in state.withLock { $0.isOver } }
                } catch {
                    state.withLock { $0.failure = error }
                }
                close(writeEnd)
            }
        }
        let descriptor = state.withLock { $0.readEnd }
        return descriptor >= 0 ? descriptor : nil
    }
}
