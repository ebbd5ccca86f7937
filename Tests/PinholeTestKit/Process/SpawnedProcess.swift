import Foundation
import PinholeLock

/// A child process that runs beside the test.
///
/// There is one only inside of ``run(_:_:)``, so that none outlives its test.
package final class SpawnedProcess: Sendable {
    /// Where a process writes.
    package enum Stream: Sendable {
        /// Standard output.
        case output
        /// Standard error.
        case errorOutput
    }

    struct State: Sendable {
        var output: [UInt8] = []
        var errorOutput: [UInt8] = []
        var outputLines = LineReader()
        var errorLines = LineReader()
        var openStreams = 2
        var exit: ProcessExit?
    }

    /// The number of the process, and of its process group.
    package let identifier: Int32

    private let invocation: Invocation
    private let monitor = Monitor(State())
    /// Whether the number still belongs to the process; it is freed when the process is reaped.
    private let isReaped = Lock(false)
    /// A pipe that is closed when the process has ended, so that its output is read up to what there is.
    private let endMark = Pipe()

    private init(_ invocation: Invocation) throws(ProcessFailure) {
        let spawned = try Spawned.start(invocation)
        identifier = spawned.identifier
        self.invocation = invocation
        if let input = spawned.input {
            Thread.detachNewThread { Self.write(invocation.input, to: input) }
        }
        Thread.detachNewThread { [self] in read(spawned.output, as: .output) }
        Thread.detachNewThread { [self] in read(spawned.errorOutput, as: .errorOutput) }
        Thread.detachNewThread { [self] in reap() }
    }

    /// Starts `invocation`, hands the process to `body`, and kills what is left of its group afterwards.
    ///
    /// - Parameters:
    ///   - invocation: What to run.
    ///   - isolation: The caller's isolation, which `body` keeps.
    ///   - body: What to do while it runs.
    /// - Returns: What `body` returns.
    /// - Throws: ``ProcessFailure`` when it could not be started; what `body` throws.
    @discardableResult
    package static func run<Result>(
        _ invocation: Invocation,
        isolation: isolated (any Actor)? = #isolation,
        _ body: (SpawnedProcess) async throws -> Result
    ) async throws -> Result {
        let process = try SpawnedProcess(invocation)
        do {
            let result = try await body(process)
            await process.end()
            return result
        } catch {
            await process.end()
            throw error
        }
    }

    /// What it wrote to `stream` so far.
    package func written(to stream: Stream) -> [UInt8] {
        let state = monitor.state
        return stream == .output ? state.output : state.errorOutput
    }

    /// Sends `signal` to the process alone.
    package func send(signal: Int32) { send(signal, to: identifier) }

    /// Waits for the first line on `stream`, of those already written or still to come, that `isMeant` accepts.
    ///
    /// - Parameters:
    ///   - stream: Where the line is written.
    ///   - limit: How long to wait at most.
    ///   - isMeant: Says whether it is the line.
    /// - Returns: The line, without its end.
    /// - Throws: ``ProcessFailure`` with all that was written, when time is up or the stream was closed before.
    package func line(
        from stream: Stream = .output,
        within limit: Duration = Patience.limit,
        where isMeant: @escaping @Sendable (String) -> Bool
    ) async throws(ProcessFailure) -> String {
        let checked = Lock(0)
        _ = await monitor.wait(within: limit) { state in
            let lines = state.lines(of: stream)
            let fresh = checked.withLock { count in
                defer { count = lines.count }
                return lines.dropFirst(count)
            }
            return fresh.contains(where: isMeant) || state.openStreams == 0
        }
        let state = monitor.state
        if let line = state.lines(of: stream).first(where: isMeant) { return line }
        let reason = state.exit.map { "it ended (\($0)) before" } ?? "nothing of it within \(limit)"
        throw ProcessFailure(
            description: """
                “\(invocation)” did not write the line that was waited for: \(reason)
                \(state.result(exit: state.exit ?? .timedOut))
                """
        )
    }

    /// Waits until it has ended and all of its output was read; kills its group when time is up.
    ///
    /// - Parameter limit: How long to wait at most.
    /// - Returns: How it ended and what it wrote.
    package func result(within limit: Duration = Patience.limit) async -> ProcessResult {
        let isInTime = await monitor.wait(within: limit) { $0.exit != nil }
        await end()
        let state = monitor.state
        return state.result(exit: isInTime ? state.exit ?? .timedOut : .timedOut)
    }

    /// Kills the group, and waits until the process is gone and its output was read.
    private func end() async {
        send(SIGKILL, to: -identifier)
        _ = await monitor.wait(within: Patience.limit) { $0.exit != nil }
        try? endMark.fileHandleForWriting.close()
        _ = await monitor.wait(within: Patience.limit) { $0.openStreams == 0 }
    }

    private func send(_ signal: Int32, to target: Int32) {
        isReaped.withLock { isReaped in
            if !isReaped { kill(target, signal) }
        }
    }

    private func reap() {
        // The process stays a zombie until what is left of its group was killed, so that the number is still its own.
        var info = siginfo_t()
        while waitid(P_PID, id_t(identifier), &info, WEXITED | WNOWAIT) == -1, errno == EINTR {}
        send(SIGKILL, to: -identifier)
        var status: Int32 = 0
        isReaped.withLock { isReaped in
            while waitpid(identifier, &status, 0) == -1, errno == EINTR {}
            isReaped = true
        }
        let signal = status & 0x7f
        let exit = signal == 0 ? ProcessExit.code((status >> 8) & 0xff) : .signal(signal)
        monitor.update { $0.exit = exit }
    }

    /// Reads to the end of the pipe, or up to what a process that has ended left in it.
    ///
    /// A grandchild that left the group may hold the pipe open.
    private func read(_ descriptor: Int32, as stream: Stream) {
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        while true {
            // In this order: what the process wrote before its end is in the pipe when the mark is seen.
            var events = [endMark.fileHandleForReading.fileDescriptor, descriptor]
                .map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            guard poll(&events, 2, -1) > 0 || errno == EINTR else { break }
            let isOver = events[0].revents != 0
            let count = Foundation.read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EAGAIN, !isOver { continue }
            if count > 0 {
                let chunk = Array(buffer[..<count])
                monitor.update { $0.append(chunk, to: stream) }
            } else if count == 0 || errno != EINTR {
                break
            }
        }
        close(descriptor)
        monitor.update { $0.finish(stream) }
    }

    private static func write(_ bytes: [UInt8], to descriptor: Int32) {
        // A child that does not read to the end must not end the tests by SIGPIPE.
        var pipeSignal = sigset_t()
        sigemptyset(&pipeSignal)
        sigaddset(&pipeSignal, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &pipeSignal, nil)
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if errno != EINTR {
                break
            }
        }
        close(descriptor)
    }
}

extension SpawnedProcess.State {
    func lines(of stream: SpawnedProcess.Stream) -> [String] {
        stream == .output ? outputLines.lines : errorLines.lines
    }

    func result(exit: ProcessExit) -> ProcessResult {
        ProcessResult(exit: exit, output: output, errorOutput: errorOutput)
    }

    mutating func append(_ bytes: [UInt8], to stream: SpawnedProcess.Stream) {
        switch stream {
        case .output:
            output += bytes
            outputLines.append(bytes)
        case .errorOutput:
            errorOutput += bytes
            errorLines.append(bytes)
        }
    }

    mutating func finish(_ stream: SpawnedProcess.Stream) {
        switch stream {
        case .output: outputLines.finish()
        case .errorOutput: errorLines.finish()
        }
        openStreams -= 1
    }
}
