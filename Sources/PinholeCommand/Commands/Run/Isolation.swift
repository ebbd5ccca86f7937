import Glibc
import PinholeFiles
import PinholeModel
import PinholeRuntime
import PinholeSession

/// A program in a user, network and mount namespace of its own, in which every connection leads to the proxy.
///
/// `unshare` makes the namespace; `pinhole isolated` prepares it from inside and becomes the program.
struct Isolation {
    /// The flags of `unshare` for a namespace without root, in which the user keeps the same user ID.
    private static let flags = ["--user", "--map-current-user", "--keep-caps", "--net", "--mount", "--"]

    private let directory: PrivateDirectory
    private let unshare: String

    /// Checks that this system can isolate programs.
    ///
    /// - Parameter directory: The directory for the files of the run.
    /// - Throws: ``CommandFailure`` if the system does not permit such namespaces, or a program is missing.
    init(in directory: PrivateDirectory) async throws(CommandFailure) {
        self.directory = directory
        for name in IsolatedCommand.tools { _ = try Self.tool(name) }
        unshare = try Self.tool("unshare")
        try await check()
    }

    /// Runs a program in a new namespace to its end.
    ///
    /// - Parameters:
    ///   - command: The program and its arguments.
    ///   - variables: Variables to add to its environment, or with `nil` to remove.
    ///   - proxy: The proxy that serves its connections.
    ///   - watch: The signals that Pinhole receives while the program runs.
    /// - Returns: The exit code of the program, as a shell reports it.
    /// - Throws: ``CommandFailure`` when it cannot be started.
    func run(
        _ command: [String],
        _ variables: [String: String?],
        through proxy: ProxySession,
        _ watch: SignalWatch
    ) async throws(CommandFailure) -> Int32 {
        let name = command.first ?? ""
        guard ExecutableSearch.path(of: name) != nil else {
            throw CommandFailure("could not run \(name): there is no such program that may be run")
        }
        let gate = try CommandFailure.wrapping { try NamespaceListener(in: directory.path) }
        let serving = Task { await serve(gate, by: proxy) }
        let own = Places.program ?? "pinhole"
        let served = ListeningUser.portsOfLoopback6().map { "\($0)" }.joined(separator: ",")
        let inside =
            [own, IsolatedCommand.name, "--gate", gate.path, "--folder", directory.path]
            + (served.isEmpty ? [] : ["--served", served]) + ["--"]
        let child = ChildProcess(command: [unshare] + Self.flags + inside + command, variables: variables)
        let removal = Self.makeDatabase()
        defer { for folder in removal { rmdir(folder) } }
        let result: Result<Int32, CommandFailure>
        do throws(CommandFailure) {
            result = .success(try await child.run(watch))
        } catch {
            result = .failure(error)
        }
        gate.close()
        if let failure = await serving.value { throw failure }
        return try result.get()
    }

    /// Makes a folder over which the namespace mounts the database of Chromium, if the user has none.
    ///
    /// - Returns: The folders to remove at the end. They are still empty then, since only the mounted folder was seen.
    private static func makeDatabase() -> [String] {
        let places = BrowserTrust.databases()
        guard let place = places.first, !places.contains(where: File.exists) else { return [] }
        let parent = FilePath.folder(of: place)
        let made = File.exists(at: parent) ? [place] : [place, parent]
        guard (try? Folder.make(at: place)) != nil else { return [] }
        return made
    }

    private func serve(_ gate: NamespaceListener, by proxy: ProxySession) async -> CommandFailure? {
        switch await gate.receive() {
        case .sockets(let sockets):
            do throws(CommandFailure) {
                try await proxy.serve(sockets)
            } catch {
                return error
            }
            gate.open()
            return nil
        case .failed(let reason):
            return CommandFailure(
                "the namespace for --isolate could not be made ready: \(reason)",
                remedy: "fix that cause, or run the program without --isolate"
            )
        case .nobody:
            return CommandFailure("the namespace for --isolate ended before the program began")
        }
    }

    private static func tool(_ name: String) throws(CommandFailure) -> String {
        guard let path = IsolatedCommand.path(of: name) else {
            throw CommandFailure(
                "--isolate needs the program \(name), and there is none",
                remedy: "apt install util-linux iproute2 nftables (dnf, pacman and apk have the same names)"
            )
        }
        return path
    }

    /// Makes a namespace for a trial, so that a refusal is reported with a reason and a remedy.
    private func check() async throws(CommandFailure) {
        guard let reason = await ChildProcess.failure(of: unshare, Self.flags + ["true"]) else { return }
        throw CommandFailure(
            "this system refuses the user and network namespace that --isolate needs: \(reason)",
            remedy: Self.remedy { File.text(of: "/proc/sys/\($0)") }
        )
    }

    /// Returns the step by which this system lets users make namespaces.
    ///
    /// - Parameter setting: Reads a setting below /proc/sys.
    /// - Returns: The remedy, for the message.
    static func remedy(_ setting: (String) -> String?) -> String {
        func value(_ name: String) -> Int? {
            setting(name).flatMap { Int($0.trimmed) }
        }
        if value("kernel/unprivileged_userns_clone") == 0 {
            return "sudo sysctl kernel.unprivileged_userns_clone=1"
        }
        if value("user/max_user_namespaces") == 0 || value("user/max_net_namespaces") == 0 {
            return "sudo sysctl user.max_user_namespaces=10000 user.max_net_namespaces=10000"
        }
        if value("kernel/apparmor_restrict_unprivileged_userns") == 1 {
            return "AppArmor allows it to programs with a profile alone; for all of them: "
                + "sudo sysctl kernel.apparmor_restrict_unprivileged_userns=0"
        }
        return "in a container, let it make user namespaces (docker run --security-opt seccomp=unconfined "
            + "--security-opt apparmor=unconfined); or run it without --isolate"
    }
}
