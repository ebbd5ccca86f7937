import Foundation
import PinholeLock

/// A child process that has just been started, in a process group of its own.
struct Spawned {
    /// Its number, which is that of its group too.
    let identifier: pid_t
    /// Our end of its standard input; `nil` where it reads from /dev/null.
    let input: Int32?
    /// Our end of its standard output.
    let output: Int32
    /// Our end of its standard error.
    let errorOutput: Int32

    /// Held while pipes are made and a child is started, so that no other child of ours inherits them.
    private static let starting = Lock(true)

    /// Starts `invocation`.
    static func start(_ invocation: Invocation) throws(ProcessFailure) -> Spawned {
        try starting.withLock { _ throws(ProcessFailure) in try Spawned(invocation) }
    }

    private init(_ invocation: Invocation) throws(ProcessFailure) {
        let outputPipe = try Pipe()
        let errorPipe = try Pipe()
        let inputPipe = invocation.input.isEmpty ? nil : try Pipe()
        defer {
            close(outputPipe.writer)
            close(errorPipe.writer)
            if let inputPipe { close(inputPipe.reader) }
        }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        if let inputPipe {
            posix_spawn_file_actions_adddup2(&actions, inputPipe.reader, 0)
        } else {
            posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        }
        posix_spawn_file_actions_adddup2(&actions, outputPipe.writer, 1)
        posix_spawn_file_actions_adddup2(&actions, errorPipe.writer, 2)
        // A socket of another test that runs at the same time must not live on in this child.
        for descriptor in Self.openDescriptors where descriptor > 2 {
            posix_spawn_file_actions_addclose(&actions, descriptor)
        }

        let started = Self.spawn(invocation, &actions)
        guard case .success(let identifier) = started else {
            for descriptor in [outputPipe.reader, errorPipe.reader] { close(descriptor) }
            if let inputPipe { close(inputPipe.writer) }
            throw ProcessFailure(description: "could not start “\(invocation)”: \(Self.reason(started))")
        }
        self.identifier = identifier
        output = outputPipe.reader
        errorOutput = errorPipe.reader
        input = inputPipe?.writer
    }

    private enum Start {
        case success(pid_t)
        case failure(Int32)
    }

    private static var openDescriptors: [Int32] {
        let names = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
        return (names ?? []).compactMap { Int32($0) }
    }

    private static func spawn(_ invocation: Invocation, _ actions: inout posix_spawn_file_actions_t) -> Start
    {
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // A group of its own, so that its children can be ended with it; signals as in a fresh shell.
        var none = sigset_t()
        var all = sigset_t()
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        let flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
        posix_spawnattr_setflags(&attributes, Int16(flags))

        let arguments = invocation.words.map { strdup($0) } + [nil]
        let environment = invocation.environment.map { strdup("\($0)=\($1)") } + [nil]
        defer { for text in arguments + environment { free(text) } }
        var identifier: pid_t = 0
        let code = posix_spawnp(
            &identifier,
            invocation.program,
            &actions,
            &attributes,
            arguments,
            environment
        )
        return code == 0 ? .success(identifier) : .failure(code)
    }

    private static func reason(_ start: Start) -> String {
        guard case .failure(let code) = start else { return "" }
        return String(cString: strerror(code))
    }
}

/// Both ends of a pipe, neither of which a child inherits by itself.
private struct Pipe {
    let reader: Int32
    let writer: Int32

    init() throws(ProcessFailure) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else {
            throw ProcessFailure(description: "could not make a pipe: \(String(cString: strerror(errno)))")
        }
        for descriptor in ends { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        reader = ends[0]
        writer = ends[1]
    }
}
