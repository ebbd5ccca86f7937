import Dispatch
import PinholeLock
package import PinholeModel

/// Rotates a capture while it is recorded, on a queue of its own.
package final class CaptureRotator: Sendable {
    /// The interval at which the size of the capture is looked at.
    private static let interval = DispatchTimeInterval.seconds(5)

    private let rotation: CaptureRotation
    private let mayBegin: @Sendable () -> Bool
    private let now: @Sendable () -> Timestamp
    private let tell: @Sendable (Result<CaptureRotation.Part, CaptureFailure>) -> Void
    private let queue = DispatchQueue(label: "pinhole.rotation", qos: .background)
    private let isStopped = Lock(false)
    /// The bytes that the last part left in the capture.
    private let left = Lock(Int64(0))

    /// Begins to look at the capture.
    ///
    /// - Parameters:
    ///   - rotation: The capture and its limits.
    ///   - mayBegin: Returns whether nobody needs the content where it is; otherwise a rotation waits.
    ///   - now: Returns the time.
    ///   - tell: Called with the result of each rotation; a failure is tried again.
    package init(
        _ rotation: CaptureRotation,
        mayBegin: @escaping @Sendable () -> Bool = { true },
        now: @escaping @Sendable () -> Timestamp,
        tell: @escaping @Sendable (Result<CaptureRotation.Part, CaptureFailure>) -> Void
    ) {
        self.rotation = rotation
        self.mayBegin = mayBegin
        self.now = now
        self.tell = tell
        lookLater()
    }

    /// Ends the rotation; a copy that is under way is given up.
    package func stop() {
        isStopped.withLock { $0 = true }
        queue.sync {}
    }

    private func lookLater() {
        queue.asyncAfter(deadline: .now() + Self.interval) { [weak self] in self?.look() }
    }

    private func look() {
        guard !isStopped.withLock(\.self) else { return }
        do throws(CaptureFailure) {
            let isCancelled: @Sendable () -> Bool = { [isStopped] in isStopped.withLock(\.self) }
            guard mayBegin() else { return lookLater() }
            let left = left.withLock(\.self)
            if let part = try rotation.rotateIfDue(now: now(), beyond: left, isCancelled: isCancelled) {
                self.left.withLock { $0 = part.left }
                tell(.success(part))
            }
        } catch {
            if case .cancelled = error { return }
            tell(.failure(error))
        }
        lookLater()
    }
}
