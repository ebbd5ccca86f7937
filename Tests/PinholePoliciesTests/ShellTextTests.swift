import Testing

/// Texts that a script prints, hands on or keeps: the place to which a text goes decides whether it is a command.
@Suite("Texts of scripts")
struct ShellTextTests {
    private static let curl = "curl -k https://a.test"
    private static let told = "acceptsEverything at [a.test]/line "
    private static let undecided = "not proven at line "

    @Test(
        "a text that a shell runs is a command",
        arguments: [
            ("echo \"\(curl)\" | sh", told + "1"), ("bash <<EOF\n\(curl)\nEOF", told + "2"),
            ("ssh host <<EOF\n\(curl)\nEOF", told + "2"), ("cat <<EOF | bash\n\(curl)\nEOF", told + "2"),
            ("usage() {\n  cat <<EOF\n\(curl)\nEOF\n}\nusage | sh", told + "3"),
            ("sed -i s/x/y/ f; cat <<EOF | ssh host\n\(curl)\nEOF", told + "2"),
        ]
    )
    func run(script: String, finding: String) {
        #expect(FileFindings.of("a.sh", script + "\n") == [finding], "\(script)")
    }

    @Test(
        "a text that may be run later is not proven",
        arguments: [
            "echo \"\(curl)\" > run.sh", "x=$(echo \(curl))\n$x", "echo \"\(curl)\" | tee run.sh | sh",
            "warn() { printf \"%s\\n\" \"$*\" > x.sh; }\nwarn \"\(curl)\"",
        ]
    )
    func kept(script: String) {
        let findings = FileFindings.of("a.sh", script + "\n")
        #expect(
            findings.first?.hasPrefix(Self.undecided) == true || findings.first?.hasPrefix(Self.told) == true
        )
    }

    @Test(
        "a configuration of curl that a script writes is read",
        arguments: [
            "echo insecure > ~/.curlrc", "echo insecure >> ~/.curlrc", "cat <<EOF > ~/.curlrc\ninsecure\nEOF",
            "tee ~/.curlrc <<< insecure",
        ]
    )
    func configuration(script: String) {
        #expect(
            FileFindings.of("a.sh", script + "\n").first?.hasPrefix("acceptsEverything") == true,
            "\(script)"
        )
    }

    @Test(
        "a function with the name of a printer that runs its words is no printer",
        arguments: [
            "info() { echo \"$@\"; \"$@\"; }\ninfo \(curl)", "fatal() { \"$@\"; }\nfatal \(curl)",
            "log() { eval \"$1\"; }\nlog \"\(curl)\"", "alias log=sudo\nlog \(curl)",
            "info() { run \"$@\"; }\nrun() { eval \"$*\"; }\ninfo \(curl)", "help() { \(curl); }\nhelp",
            "usage() {\n  echo x\n  \(curl)\n}\nusage", "[ -n \"$x\" ] && echo \"use \(curl)\" && \(curl)",
        ]
    )
    func runners(script: String) {
        #expect(FileFindings.of("a.sh", script + "\n").contains { $0.hasPrefix(Self.told) }, "\(script)")
    }

    @Test(
        "a message for people is no command",
        arguments: [
            "usage() {\n  cat <<EOF\nUsage: x [--tls-skip-verify <bool>]\n  \(curl)   skip\nEOF\n}\nusage",
            "echo \"use \(curl) if it fails\"", "logger \"\(curl) failed\"", "info \"try \(curl)\"",
            "whiptail --msgbox \"run \(curl)\" 8 40", "die \"\(curl) is needed\"", "log_info \"\(curl)\"",
            "log() { echo \"$@\" >> \"$LOGFILE\"; }\nlog \"\(curl)\"",
        ]
    )
    func messages(script: String) {
        #expect(FileFindings.of("a.sh", script + "\n") == [], "\(script)")
    }

    @Test(
        "aliases and abbreviations of fish are read",
        arguments: ["alias curl 'curl -k'\ncurl https://a.test", "abbr c 'curl -k'"]
    )
    func fish(script: String) {
        #expect(
            FileFindings.of("a.fish", script + "\n").first?.hasPrefix("acceptsEverything") == true,
            "\(script)"
        )
    }

    @Test(
        "a name of a setting that JavaScript makes of parts is told",
        arguments: [
            "const k = ['reject','Unauthorized'].join('');\no[k] = false;",
            "const k = 'reject'.concat('Unauthorized');\no[k] = false;",
            "o[['reject','Unauthorized'].join('')] = false;",
        ]
    )
    func parts(script: String) {
        #expect(!FileFindings.of("a.js", script + "\n").isEmpty, "\(script)")
    }

    @Test(
        "the texts of a Dockerfile's commands go where the shell sends them",
        arguments: [
            ("RUN echo \"\(curl)\" > /x.sh", undecided),
            ("RUN echo insecure > /etc/curlrc", "acceptsEverything"),
            ("RUN echo \"\(curl)\" | sh", "acceptsEverything"),
        ]
    )
    func dockerfile(line: String, finding: String) {
        #expect(
            FileFindings.of("Dockerfile", "FROM a\n\(line)\n").first?.hasPrefix(finding) == true,
            "\(line)"
        )
    }

    @Test(
        "a printer that the script does not define may run its words",
        arguments: [
            ("a.sh", ". ./lib.sh\ninfo \(curl)"), ("a.sh", "/usr/local/bin/error \(curl)"),
            ("a.sh", "./log \(curl)"),
            ("a.fish", "function info\n  $argv\nend\ninfo \(curl)"),
            ("a.fish", "function info\n  eval $argv\nend\ninfo '\(curl)'"),
            ("a.sh", "info() { bash -s; }\ninfo <<< '\(curl)'"),
            ("a.sh", "log() { sh; }\nlog <<EOF\n\(curl)\nEOF"),
            ("a.sh", "exec > run.sh\necho '\(curl)'"), ("a.sh", "fprintd \"\(curl)\""),
        ]
    )
    func undefined(name: String, script: String) {
        #expect(!FileFindings.of(name, script + "\n").isEmpty, "\(script)")
    }

    @Test(
        "a printer that the script does not define prints a text in one word",
        arguments: [
            "log error \"try \(curl)\"", "warn \"\(curl)\"", "function log { echo \"$@\"; }\nlog \(curl)",
        ]
    )
    func undefinedMessages(script: String) {
        #expect(FileFindings.of("a.sh", script + "\n") == [], "\(script)")
    }
}
