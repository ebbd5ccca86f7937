extension EventLoop {
    /// Starts a loop, and opens sockets on it.
    ///
    /// - Parameter open: Opens the sockets, on the loop.
    /// - Returns: The loop, and the result of `open`.
    /// - Throws: ``SystemFailure`` if the loop or a socket cannot be made; the loop has ended then.
    package static func opening<Opened: Sendable>(
        _ open: @escaping @Sendable (isolated EventLoop) throws(SystemFailure) -> Opened
    ) async throws(SystemFailure) -> (loop: EventLoop, opened: Opened) {
        let loop = try EventLoop(number: 0)
        loop.start()
        let result: Result<Opened, SystemFailure> = await withCheckedContinuation { continuation in
            loop.post { loop in
                continuation.resume(returning: Result { () throws(SystemFailure) in try open(loop) })
            }
        }
        do throws(SystemFailure) {
            return (loop, try result.get())
        } catch {
            loop.post { $0.stop() }
            throw error
        }
    }
}
