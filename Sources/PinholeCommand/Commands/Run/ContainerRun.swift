import PinholeFiles
import PinholeSession

/// A `docker run`, whose program gets proxy and CA inside of its container.
///
/// A container is started by a daemon, so it inherits nothing from the command. The variables and the files become
/// options of the command instead. The container shares the network of this machine, because the proxy listens on
/// loopback only.
struct ContainerRun: Equatable {
    /// The programs that take these options.
    private static let programs: Set<String> = ["docker", "podman", "nerdctl"]
    /// The options of the program itself that have a value.
    private static let outerOptions: Set<String> = [
        "--config", "-c", "--context", "-H", "--host", "-l", "--log-level", "--tlscacert", "--tlscert",
        "--tlskey",
        "--connection", "--identity", "--root", "--runroot", "--storage-driver", "--storage-opt", "--url",
        "-a", "--address", "-n", "--namespace",
    ]
    /// The options of “run” that have no value.
    private static let switches: Set<String> = [
        "--detach", "--disable-content-trust", "--env-host", "--help", "--http-proxy", "--init",
        "--interactive",
        "--no-healthcheck", "--no-hostname", "--no-hosts", "--oom-kill-disable", "--passwd", "--privileged",
        "--publish-all", "--quiet", "--read-only", "--replace", "--rm", "--rmi", "--rootfs", "--sig-proxy",
        "--tls-verify", "--tty", "--use-api-socket",
    ]
    /// The letters of the short ones.
    private static let letters: Set<Character> = ["d", "i", "t", "P", "q"]

    /// The words up to “run”, the options of “run”, and the image with everything behind it.
    private let start: [String]
    private let options: [(name: String, words: [String])]
    private let rest: [String]

    static func == (one: ContainerRun, other: ContainerRun) -> Bool { one.words == other.words }

    private var words: [String] { start + options.flatMap(\.words) + rest }

    /// Whether a command is one of a program for containers.
    static func isMeant(by command: [String]) -> Bool {
        let words = command.first == "sudo" ? command.dropFirst() : command[...]
        return words.first.map { programs.contains(FilePath.name(of: $0)) } ?? false
    }

    /// Reads a command; `nil` if it starts no container.
    ///
    /// - Parameter command: The program and its arguments.
    init?(_ command: [String]) {
        guard Self.isMeant(by: command) else { return nil }
        var index = command.first == "sudo" ? 2 : 1
        while index < command.count, command[index].hasPrefix("-") {
            index += Self.outerOptions.contains(command[index]) ? 2 : 1
        }
        if index < command.count, command[index] == "container" { index += 1 }
        guard index < command.count, command[index] == "run" else { return nil }
        start = Array(command[...index])
        var rest = command[(index + 1)...]
        var options: [(name: String, words: [String])] = []
        while let word = rest.first, word.hasPrefix("-"), word != "--" {
            rest.removeFirst()
            let name = String(word.prefix { $0 != "=" })
            if word.hasPrefix("--") {
                let isAlone = name != word || Self.switches.contains(word)
                options.append((name, isAlone ? [word] : [word] + rest.prefix(1)))
                if !isAlone { rest = rest.dropFirst() }
                continue
            }
            // Letters without a value may stand together, and one with a value ends them: -itv /a:/b, -eNAME=1.
            let first = word.dropFirst().firstIndex { !Self.letters.contains($0) }
            let valued = first.map { "-\(word[$0])" }
            let needsNext = first.map { word.index(after: $0) == word.endIndex } ?? false
            for letter in word.dropFirst().prefix(while: Self.letters.contains) {
                options.append(("-\(letter)", []))
            }
            options.append((valued ?? "-", [word] + (needsNext ? Array(rest.prefix(1)) : [])))
            if needsNext { rest = rest.dropFirst() }
        }
        self.options = options
        self.rest = Array(rest)
    }

    /// Returns the command with the options that lead its container to the proxy.
    ///
    /// - Parameters:
    ///   - variables: The variables of a program that uses the proxy; with `nil` those that it must not have.
    ///   - folder: The folder of the files that the variables name. It is mounted at the same path.
    /// - Returns: The command.
    /// - Throws: ``CommandFailure`` if the container could not reach the proxy.
    func command(_ variables: [String: String?], folder: String) throws(CommandFailure) -> [String] {
        if options.contains(where: { ["--detach", "-d"].contains($0.name) && $0.words != ["--detach=false"] })
        {
            throw CommandFailure.usage(
                "the container would go on in the background (-d), and the proxy ends with this command",
                remedy: "leave -d out, or run the command in the background as a whole: pinhole run … &"
            )
        }
        let networks = options.filter { ["--network", "--net"].contains($0.name) }.map { option in
            option.words.count > 1
                ? option.words[1] : String(option.words[0].dropFirst(option.name.count + 1))
        }
        if let network = networks.first(where: { $0 != "host" }) {
            throw CommandFailure.usage(
                "a container in the network “\(network)” does not reach the proxy, which listens on loopback",
                remedy:
                    "leave --network out: pinhole run lets the container share the network of this machine "
                    + "(--network host)"
            )
        }
        var added = networks.isEmpty ? ["--network", "host"] : []
        // SELinux refuses files of the host without a label for containers; elsewhere “z” has no effect.
        added += ["--volume", "\(folder):\(folder):ro,z"]
        for (name, value) in variables.sorted(by: { $0.key < $1.key }) {
            added += ["--env", "\(name)=\(value ?? "")"]
        }
        return start + added + options.flatMap(\.words) + rest
    }
}
