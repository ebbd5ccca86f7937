import Glibc
import PinholeFiles
import PinholeSession

/// The language or TLS library of a program, as far as its file tells, which decides how it finds a proxy.
enum ProgramKind: Equatable {
    case node, java, python, openssl, curl, go, ssh, container, other

    /// The kinds of programs, by the beginnings of their names.
    private static let names: [(prefix: String, kind: ProgramKind)] = [
        ("node", .node), ("npm", .node), ("npx", .node), ("yarn", .node), ("pnpm", .node), ("tsx", .node),
        ("ts-node", .node), ("java", .java), ("mvn", .java), ("gradle", .java), ("kotlin", .java),
        ("python", .python), ("pytest", .python), ("pip", .python), ("uvicorn", .python), ("poetry", .python),
        ("openssl", .openssl), ("curl", .curl), ("ssh", .ssh), ("scp", .ssh), ("sftp", .ssh),
        ("docker", .container), ("podman", .container), ("nerdctl", .container),
    ]
    /// Programs that run another program, which their arguments name.
    private static let wrappers: Set<String> = [
        "env", "sh", "bash", "dash", "zsh", "timeout", "nice", "nohup", "stdbuf", "strace", "xargs", "time",
    ]
    /// The mark that Go writes into each program (debug/buildinfo).
    private static let goMark = "\u{ff} Go buildinf:".unicodeScalars.map { UInt8($0.value) }

    /// Finds out the kind of the program that a command runs.
    ///
    /// - Parameters:
    ///   - command: The program and its arguments.
    ///   - environment: The environment with PATH.
    init(of command: [String], _ environment: [String: String] = ProcessEnvironment.variables) {
        self = Self.kind(of: command, environment)
    }

    private static func kind(of command: [String], _ environment: [String: String]) -> ProgramKind {
        guard let program = command.first else { return .other }
        let name = FilePath.name(of: program)
        if name == "go" { return command.dropFirst().first == "run" ? .go : .other }
        if let known = names.first(where: { name.hasPrefix($0.prefix) }) { return known.kind }
        if wrappers.contains(name) {
            let words = command.dropFirst().flatMap { $0.split { " \t\n;&|()'\"".contains($0) } }
            return words.lazy.map { kind(of: [String($0)], ["PATH": ""]) }.first { $0 != .other } ?? .other
        }
        guard let path = ExecutableSearch.path(of: program, environment),
            let file = try? Descriptor(opening: path, flags: O_RDONLY),
            let start = try? file.read(upTo: 256)
        else { return .other }
        if start.starts(with: Array("#!".utf8)) {
            let line = String(decoding: start.dropFirst(2), as: UTF8.self)
            let words = line.prefix { !$0.isNewline }.split(separator: " ").map(String.init)
            return words.lazy.map { kind(of: [$0], ["PATH": ""]) }.first { $0 != .other } ?? .other
        }
        return holdsGoMark(file, after: start) ? .go : .other
    }

    /// Whether the mark of Go is in a file, of which `start` has been read.
    private static func holdsGoMark(_ file: borrowing Descriptor, after start: [UInt8]) -> Bool {
        var bytes = start
        while true {
            let places = 0..<max(0, bytes.count - goMark.count + 1)
            if places.contains(where: { bytes[$0] == goMark[0] && bytes[$0...].starts(with: goMark) }) {
                return true
            }
            guard let piece = try? file.read(upTo: 1 << 20), !piece.isEmpty else { return false }
            // The mark may begin in one piece and end in the next.
            bytes = bytes.suffix(goMark.count - 1) + piece
        }
    }

    /// The likely reason why a program of this kind ignored the proxy that its environment names.
    var reason: String {
        switch self {
        case .node:
            "Node.js is led to the proxy by NODE_OPTIONS, which the program may have replaced; or it made no connection"
        case .java:
            "Java is led to the proxy by JAVA_TOOL_OPTIONS, and the program's HTTP client may not read these properties; "
                + "or it made no connection"
        case .python:
            "urllib, requests and httpx use the proxy of the environment; aiohttp does with ClientSession(trust_env=True) "
                + "alone, and plain sockets do not; or it made no connection"
        case .openssl:
            "openssl does not read the proxy of the environment (s_client has -proxy HOST:PORT)"
        case .curl:
            "curl goes past the proxy of the environment with --noproxy or --proxy, on the command line or in .curlrc"
        case .go:
            "Go programs use the proxy of the environment, but never for localhost and 127.0.0.1 (call the server by "
                + "another name: --resolve NAME:PORT:127.0.0.1); or it made no connection"
        case .ssh:
            "SSH does not read the proxy of the environment"
        case .container:
            "a container gets the proxy from “run” alone, and not from “exec”, “compose” or “build”; it may not share the "
                + "network of this machine (Docker Desktop, a rootless daemon); or it made no connection"
        case .other:
            "the program made no connection, or does not read the proxy of its environment, as aiohttp without "
                + "trust_env=True, openssl s_client, and Go for localhost do not"
        }
    }
}
