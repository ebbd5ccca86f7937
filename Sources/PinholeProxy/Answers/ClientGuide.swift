package import PinholeModel

/// The steps that connect each kind of client with a proxy.
///
/// The page of the CA and the console show the same steps. A command works as it stands, on the machine that its step
/// names.
package struct ClientGuide: Sendable {
    /// A step, with a command if there is one for it.
    package struct Step: Sendable, Equatable, Codable, DescribedMembers {
        /// The members whose meaning the description of the API tells.
        package static let described = [FieldJSON("command", "A line for a shell.")]

        /// The action of the user, or what the command does.
        package let text: String
        /// The command for a shell, on one line; `nil` for a step without one.
        package let command: String?

        init(_ text: String, _ command: String? = nil) {
            self.text = text
            self.command = command
        }
    }

    /// The steps for a kind of client.
    package struct Way: Sendable, Equatable {
        /// The kind of client.
        package let kind: ClientKind
        /// The name of the kind.
        package let title: String
        /// The steps, in order.
        package let steps: [Step]
    }

    private let lines: [ClientCommands.Line]
    private let port: UInt16
    private let certificate: String
    private let androidName: String
    private let place: String

    /// Creates the guide for the console of a proxy, which runs on the same machine.
    ///
    /// - Parameters:
    ///   - lines: The commands for clients of this machine.
    ///   - port: The port at which clients of this machine reach the proxy on 127.0.0.1.
    ///   - certificate: The path of the CA's certificate in PEM.
    ///   - androidName: The name of the certificate in the system store of Android.
    ///   - place: The address at which other machines reach the proxy, or would reach it: `192.168.1.5:8080`.
    package init(
        lines: [ClientCommands.Line],
        port: UInt16,
        certificate: String,
        androidName: String,
        place: String
    ) {
        self.lines = lines
        self.port = port
        self.certificate = certificate
        self.androidName = androidName
        self.place = place
    }

    /// The steps of all kinds.
    package var ways: [Way] {
        ClientKind.allCases.map { Way(kind: $0, title: $0.title, steps: steps(for: $0)) }
    }

    private func steps(for kind: ClientKind) -> [Step] {
        switch kind {
        case .terminal: terminal
        case .chromium: chromium
        case .firefox: firefox
        case .node: language("node server.mjs", .node)
        case .java: language("java -jar app.jar", .java) + [Self.javaStore]
        case .python: language("python3 app.py", .python)
        case .go: language("go run .", .go) + [Self.goLoopback]
        case .docker: docker
        case .android: android
        case .ios: Self.ios(place)
        case .computer: Self.computer(place)
        }
    }

    // Clients of this machine.

    private var terminal: [Step] {
        commands(of: .terminal).map { line in
            switch line.client {
            case "any program":
                Step(
                    "One program and its children, with nothing installed: pinhole run sets the proxy and the CA for "
                        + "them alone. Write your own command behind “--”.",
                    line.command
                )
            case "curl": Step("curl by itself.", line.command)
            default:
                Step(
                    "Everything that is started in a terminal from now on, until you close the terminal. These programs "
                        + "then trust Pinhole's CA alone, so hosts that are passed through fail in them.",
                    line.command
                )
            }
        }
    }

    private var chromium: [Step] {
        let fresh = """
            A fresh profile that trusts the CA and uses the proxy. Your own profile is not touched. “--browser” chooses \
            Chrome, Brave or Edge.
            """
        let store = ClientCommands.shell(["-A", "-t", "C,,", "-n", "Pinhole", "-i", certificate])
        let start = ClientCommands.shell([
            "chromium", "--proxy-server=http://127.0.0.1:\(port)", "--proxy-bypass-list=<-loopback>",
            "--disable-quic",
        ])
        var steps = commands(of: .chromium).map { Step(fresh, $0.command) }
        steps.append(
            Step(
                """
                Or your own profile: let it trust the CA. (Chromium 146 and later keep the database in \
                ~/.local/share/pki/nssdb.)
                """,
                "certutil -d sql:\"$HOME/.pki/nssdb\" \(store)"
            )
        )
        steps.append(
            Step(
                """
                Then start it with the proxy, and without HTTP/3, which would pass the proxy by. Close its other windows \
                first.
                """,
                start
            )
        )
        return steps
    }

    private var firefox: [Step] {
        commands(of: .firefox).map {
            Step(
                "A fresh profile that trusts the CA and uses the proxy. Your own profile is not touched.",
                $0.command
            )
        } + [
            Step(
                "Or your own profile: Settings, Privacy & Security, Certificates, View Certificates, Authorities, Import: "
                    + "\(certificate). Choose “Trust this CA to identify websites”."
            ),
            Step(
                "Then Settings, Network Settings, Manual proxy configuration: 127.0.0.1, port \(port), also for HTTPS."
            ),
        ]
    }

    private func language(_ program: String, _ kind: ClientKind) -> [Step] {
        let wrapped = commands(of: .terminal).first { $0.client == "any program" }.map { line in
            let end = line.command.firstRange(of: " -- ")?.upperBound ?? line.command.endIndex
            return Step(
                "Your own program, with proxy and CA set for it alone. Write its command behind “--”.",
                "\(line.command[..<end])\(program)"
            )
        }
        return [wrapped].compactMap(\.self)
            + commands(of: kind).map {
                Step("A request to try, with the variables that \($0.client) reads.", $0.command)
            }
    }

    private static let javaStore = Step(
        "A program with a trust store of its own needs the CA in that store, too: keytool -importcert -alias pinhole "
            + "-file pinhole-ca.pem -keystore STORE. The page of the CA has the file."
    )

    private static let goLoopback = Step(
        "Go never uses a proxy for localhost and 127.0.0.1. Call such a server by another name: "
            + "pinhole proxy --resolve NAME:PORT:127.0.0.1."
    )

    private var docker: [Step] {
        commands(of: .docker).map {
            Step(
                "A container with the proxy set, and the CA mounted read-only. The container shares the network of this "
                    + "machine (--network host), so that it reaches the proxy on loopback. podman and nerdctl work, too.",
                $0.command
            )
        } + [
            Step(
                "A container that runs already, docker compose and docker build cannot be led so. Set the variables of "
                    + "the tile “This machine's terminal” in them, and mount \(certificate)."
            )
        ]
    }

    private var android: [Step] {
        let pushed = "/data/local/tmp/\(androidName)"
        let script = """
            set -e; d=/system/etc/security/cacerts; a=/apex/com.android.conscrypt/cacerts; t=/data/local/tmp/pinhole-cas; \
            rm -rf $t; mkdir -m 700 $t; if [ -d $a ]; then cp $a/* $t/; else cp $d/* $t/; fi; cp \(pushed) $t/; \
            mount -t tmpfs tmpfs $d; cp $t/* $d/; chown root:root $d/*; chmod 644 $d/*; \
            chcon u:object_r:system_file:s0 $d/*; if [ -d $a ]; then for z in $(pidof zygote zygote64); do \
            nsenter --mount=/proc/$z/ns/mnt -- mount --bind $d $a; done; fi
            """
        return [
            Step(
                "An emulator, or a device on a USB cable: its proxy setting leads to this machine through adb. This works "
                    + "while the proxy is on loopback.",
                "adb reverse tcp:\(port) tcp:\(port) && adb shell settings put global http_proxy 127.0.0.1:\(port)"
            ),
            Self.androidNetwork(place),
            Step(
                "The CA as a user CA: copy it, then open Settings, Security, Encryption & credentials, Install a "
                    + "certificate, CA certificate, and choose pinhole-ca.crt.",
                ClientCommands.shell(["adb", "push", certificate, "/sdcard/Download/pinhole-ca.crt"])
            ),
            Step(
                "Or as a system CA, which every app trusts that does not pin. This needs root: an emulator image without "
                    + "Google Play, or a rooted device. It lasts until the device restarts; start the app again afterwards.",
                "adb root && adb wait-for-device && "
                    + ClientCommands.shell(["adb", "push", certificate, pushed])
                    + " && adb shell '\(script)'"
            ),
            Self.androidApps,
            Step(
                "To undo it:",
                "adb shell settings put global http_proxy :0 && adb reverse --remove tcp:\(port)"
            ),
        ]
    }

    private func commands(of kind: ClientKind) -> [ClientCommands.Line] { lines.filter { $0.kind == kind } }
}

// Clients of other machines.

extension ClientGuide {
    /// Returns the steps for clients of other machines.
    ///
    /// - Parameter place: The address at which they reach the proxy: `192.168.1.5:8080`.
    /// - Returns: The steps for phones, computers, and programs with a trust store of their own.
    static func elsewhere(at place: String) -> [Way] {
        [
            Way(kind: .ios, title: ClientKind.ios.title, steps: ios(place)),
            Way(
                kind: .android,
                title: "Android",
                steps: [
                    androidNetwork(place),
                    Step("Download pinhole-ca.crt here. \(androidInstallation)"), androidApps,
                ]
            ),
            Way(kind: .computer, title: "A computer", steps: computer(place)),
            Way(
                kind: .chromium,
                title: "Chromium and Chrome on Linux",
                steps: [
                    Step(
                        "Chromium 146 and later keep the database in ~/.local/share/pki/nssdb.",
                        "certutil -d sql:$HOME/.pki/nssdb -A -t C,, -n Pinhole -i pinhole-ca.pem"
                    )
                ]
            ),
            Way(
                kind: .firefox,
                title: "Firefox",
                steps: [
                    Step(
                        "Settings, Privacy & Security, Certificates, View Certificates, Authorities, Import: "
                            + "pinhole-ca.pem. Choose “Trust this CA to identify websites”."
                    )
                ]
            ),
            Way(
                kind: .java,
                title: "Java",
                steps: [
                    javaStore,
                    Step(
                        "Or name the trust store that is offered here: -Djavax.net.ssl.trustStore=pinhole-ca.p12 "
                            + "-Djavax.net.ssl.trustStorePassword=changeit."
                    ),
                ]
            ),
        ]
    }

    /// Returns the steps on a phone whose browser shows the page of the CA.
    ///
    /// - Parameters:
    ///   - device: The phone.
    ///   - place: The address at which it reaches the proxy.
    /// - Returns: The steps after the download of the CA.
    static func steps(on device: Onboarding.Device, at place: String) -> [Step] {
        let (host, port) = parts(of: place)
        switch device {
        case .apple:
            return [Step("Allow the download of the profile.")] + iosTrust + [
                Step(
                    "If this page did not come through the proxy: Settings, Wi-Fi, the info button beside the network, "
                        + "Configure Proxy, Manual: server \(host), port \(port)."
                ), iosEnd,
            ]
        case .android:
            return [
                Step(androidInstallation), androidApps,
                Step(
                    "If this page did not come through the proxy: Settings, Wi-Fi, the network, Proxy: Manual, host name "
                        + "\(host), port \(port)."
                ),
            ]
        }
    }

    private static let androidInstallation = """
        Settings, Security, Encryption & credentials, Install a certificate, CA certificate: choose pinhole-ca.crt.
        """

    private static func androidNetwork(_ place: String) -> Step {
        let (host, port) = parts(of: place)
        return Step(
            "A device in the network: scan the QR code, or open http://\(place)/. Then Settings, Wi-Fi, the network, "
                + "Proxy: Manual, host name \(host), port \(port)."
        )
    }

    private static let androidApps = Step(
        "Apps for Android 7 and later ignore user CAs, unless their network security configuration names them "
            + "(<certificates src=\"user\"/>). Chrome accepts user CAs. Firefox does after “Use third party CA certificates” "
            + "in its secret settings. Flutter apps ignore the proxy setting, too. Apps that pin refuse every CA but their "
            + "own: pass their hosts through, or use a build without pins."
    )

    private static func ios(_ place: String) -> [Step] {
        let (host, port) = parts(of: place)
        return [
            Step(
                "Settings, Wi-Fi, the info button beside the network, Configure Proxy, Manual: server \(host), port \(port). The device "
                    + "and this machine must be in the same network."
            ),
            Step(
                "Scan the QR code with the camera, or open http://\(place)/ in Safari. Tap pinhole-ca.mobileconfig, and "
                    + "allow the download of the profile."
            ),
        ] + iosTrust + [iosEnd]
    }

    /// The steps from the downloaded profile to the trusted CA.
    private static let iosTrust = [
        Step(
            "Settings, General, VPN & Device Management: install the profile “Pinhole’s CA”. iOS says that it is not "
                + "signed: compare the fingerprint under More Details with the one on the page."
        ),
        Step(
            "Settings, General, About, Certificate Trust Settings: switch Pinhole's CA on. Without this step, every "
                + "app refuses it."
        ),
    ]

    private static let iosEnd = Step(
        "Apps that pin still refuse it: pass their hosts through. Afterwards, switch the proxy off and remove the profile."
    )

    private static func computer(_ place: String) -> [Step] {
        let (host, port) = parts(of: place)
        return [
            Step(
                "On the other computer: fetch the CA's certificate from the proxy.",
                "curl -fO http://\(place)/pinhole-ca.crt"
            ),
            Step(
                "Debian and Ubuntu: trust it.",
                "sudo install -m 644 pinhole-ca.crt /usr/local/share/ca-certificates/pinhole-ca.crt && "
                    + "sudo update-ca-certificates"
            ), Step("Fedora and RHEL: trust it.", "sudo trust anchor pinhole-ca.crt"),
            Step(
                "macOS: trust it.",
                "sudo security add-trusted-cert -d -r trustRoot -k /Library/Keychains/System.keychain pinhole-ca.crt"
            ), Step("Windows: trust it.", "certutil -user -addstore Root pinhole-ca.crt"),
            Step(
                "Programs of a terminal: name the proxy.",
                "export HTTP_PROXY=http://\(place) HTTPS_PROXY=http://\(place)"
            ),
            Step(
                "Everything else: the proxy \(host), port \(port), in the network settings, or the automatic configuration "
                    + "http://\(place)/proxy.pac."
            ),
            Step(
                "Afterwards, on Debian and Ubuntu: take the CA out again.",
                "sudo rm /usr/local/share/ca-certificates/pinhole-ca.crt && sudo update-ca-certificates --fresh"
            ),
        ]
    }

    /// Splits an address into host and port.
    static func parts(of place: String) -> (host: String, port: String) {
        guard let colon = place.lastIndex(of: ":") else { return (place, "80") }
        return (String(place[..<colon]), String(place[place.index(after: colon)...]))
    }
}

extension ClientKind {
    /// The name of the kind for users.
    package var title: String {
        switch self {
        case .terminal: "This machine's terminal"
        case .chromium: "Chromium, Chrome"
        case .firefox: "Firefox"
        case .node: "Node.js"
        case .java: "Java"
        case .python: "Python"
        case .go: "Go"
        case .docker: "Docker"
        case .android: "Android"
        case .ios: "iPhone, iPad"
        case .computer: "Another computer"
        }
    }
}
