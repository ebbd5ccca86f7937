import Foundation
import PinholeTestKit
import Testing

@testable import PinholeCommand
@testable import PinholeSession

@Suite("Containers of pinhole run")
struct ContainerRunTests {
    private static let variables: [String: String?] = [
        "HTTPS_PROXY": "http://127.0.0.1:4000", "NO_PROXY": nil,
    ]
    private static let added = [
        "--volume", "/tmp/x:/tmp/x:ro,z", "--env", "HTTPS_PROXY=http://127.0.0.1:4000", "--env", "NO_PROXY=",
    ]

    private func words(_ command: String) throws -> [String] {
        let run = try #require(ContainerRun(command.split(separator: " ").map(String.init)), "\(command)")
        return try run.command(Self.variables, folder: "/tmp/x")
    }

    @Test(
        "options are inserted after “run” and before the user's options, so that the user's win",
        arguments: [
            ("docker run alpine true", "docker run", "alpine true"),
            (
                "/usr/bin/docker container run --rm -it alpine sh", "/usr/bin/docker container run",
                "--rm -it alpine sh"
            ),
            (
                "docker --context x -H unix:///s run -v /a:/b -eA=1 alpine",
                "docker --context x -H unix:///s run", "-v /a:/b -eA=1 alpine"
            ),
            (
                "podman --log-level=debug run --name d alpine -d", "podman --log-level=debug run",
                "--name d alpine -d"
            ),
            ("sudo docker run alpine run", "sudo docker run", "alpine run"),
            (
                "nerdctl run -p 80:80 alpine --network bridge", "nerdctl run",
                "-p 80:80 alpine --network bridge"
            ),
            ("docker run --detach=false alpine", "docker run", "--detach=false alpine"),
        ]
    )
    func adds(_ command: String, _ start: String, _ rest: String) throws {
        let expected =
            start.split(separator: " ").map(String.init) + ["--network", "host"] + Self.added
            + rest.split(separator: " ").map(String.init)
        #expect(try words(command) == expected)
    }

    @Test(
        "a container in the network of the machine stays there",
        arguments: ["--network host", "--network=host", "--net=host"]
    )
    func host(_ option: String) throws {
        let words = try words("docker run \(option) alpine")
        #expect(!words.prefix(4).contains("host") || words[2] == "--volume", "\(words)")
        #expect(words.filter { $0.contains("host") && !$0.contains("http") }.count == 1)
    }

    @Test(
        "a container that could not reach the proxy is refused, with the remedy",
        arguments: [
            ("docker run -d alpine", "in the background"), ("docker run -itd alpine", "in the background"),
            ("docker run --detach alpine", "in the background"),
            ("docker run --network app alpine", "the network “app”"),
            ("docker run --net=none alpine", "the network “none”"),
        ]
    )
    func refuses(_ command: String, _ reason: String) throws {
        let failure = #expect(throws: CommandFailure.self) { try words(command) }
        #expect(failure?.message.contains(reason) == true && failure?.remedy?.hasPrefix("leave ") == true)
    }

    @Test(
        "other commands are not changed",
        arguments: [
            "docker ps", "docker exec x true", "docker compose run x", "docker", "curl run", "sudo curl",
            "docker -H",
        ]
    )
    func others(_ command: String) {
        #expect(ContainerRun(command.split(separator: " ").map(String.init)) == nil)
    }

    /// A directory with a `docker` that writes its arguments, and what the files look like for others.
    private static func fake(in binary: PinholeBinary) throws -> String {
        let folder = binary.directory.file("bin")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let script = """
            #!/bin/sh
            for word; do
              echo "$word"
              case "$word" in
                *:ro,z) d=${word%%:*}; stat -c 'mode %a %n' "$d" "$d"/* "$(dirname "$d")" ;;
                SSL_CERT_FILE=*) echo "certificates $(grep -c BEGIN "${word#*=}")" ;;
              esac
            done
            exit 5
            """
        try binary.directory.writeScript(script, to: "bin/docker")
        return folder
    }

    @Test("docker gets proxy and CA for its container, and the exit code is passed on")
    func run() async throws {
        let binary = try PinholeBinary()
        let folder = try Self.fake(in: binary)
        let path = "\(folder):\(ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin")"
        let result = try await binary.run(
            "run",
            "--quiet",
            "--capture",
            "none",
            "--",
            "docker",
            "run",
            "--rm",
            "alpine",
            "true",
            environment: ["PATH": path, "JAVA_TOOL_OPTIONS": "-Dmine=1"]
        )
        #expect(result.exit == .code(5), "\(result)")
        let lines = result.text.split(separator: "\n").map(String.init)
        #expect(lines.first == "run" && Array(lines[1...2]) == ["--network", "host"], "\(result)")
        #expect(lines.suffix(3) == ["--rm", "alpine", "true"])
        let proxy = try #require(lines.first { $0.hasPrefix("HTTPS_PROXY=") })
        #expect(proxy.hasPrefix("HTTPS_PROXY=http://127.0.0.1:"))
        let mount = try #require(lines.first { $0.hasSuffix(":ro,z") })
        let inner = try #require(mount.split(separator: ":").first.map(String.init))
        for name in ["SSL_CERT_FILE", "NODE_EXTRA_CA_CERTS", "REQUESTS_CA_BUNDLE"] {
            #expect(lines.contains("\(name)=\(inner)/ca-bundle.pem"), "\(name)")
        }
        #expect(
            lines.contains { $0.hasPrefix("JAVA_TOOL_OPTIONS=") && $0.contains("\(inner)/truststore.p12") }
        )
        #expect(!result.text.contains("-Dmine"), "the options of this user mean nothing in a container")
        #expect(lines.contains("NO_PROXY="))
        // Another user in the container can read them, and no other user of this machine can.
        let modes = lines.filter { $0.hasPrefix("mode ") }
        #expect(modes.first == "mode 755 \(inner)" && modes.last?.hasPrefix("mode 700 ") == true, "\(modes)")
        #expect(
            modes.dropFirst().dropLast().allSatisfy { $0.hasPrefix("mode 644 ") } && modes.count >= 4,
            "\(modes)"
        )
        let count = try #require(lines.first { $0.hasPrefix("certificates ") })
        #expect(
            (Int(count.dropFirst("certificates ".count)) ?? 0) > 1,
            "the system's CAs and Pinhole's: \(count)"
        )
        #expect(!FileManager.default.fileExists(atPath: inner), "the folder is removed")
    }

    @Test("a container is not isolated, and does not go on alone", arguments: [["--isolate"], []])
    func refused(_ flags: [String]) async throws {
        let binary = try PinholeBinary()
        let folder = try Self.fake(in: binary)
        let path = "\(folder):\(ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin")"
        let arguments = ["run", "--capture", "none"] + flags + ["--", "docker", "run", "-d", "alpine"]
        let result = try await ProcessRunner.run(binary.invocation(arguments, ["PATH": path]))
        #expect(result.exit == .code(2) && result.text.isEmpty, "\(result)")
        #expect(
            result.errorText.contains(flags.isEmpty ? "in the background" : "leave --isolate out"),
            "\(result)"
        )
    }
}
