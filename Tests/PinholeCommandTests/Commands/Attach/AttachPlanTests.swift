import Testing

@testable import PinholeCommand

@Suite("AttachPlan")
struct AttachPlanTests {
    private static let origin = ControlGroup(folder: "/sys/fs/cgroup/unified/it's", level: 1)

    @Test("the table redirects TCP of the cgroup in both families, and refuses QUIC")
    func rules() {
        let plan = AttachPlan(pid: 4711, started: 9, origin: Self.origin, port: 7070, port6: 7071)
        #expect(
            plan.rules == """
                table inet pinhole-4711 {
                  chain connections {
                    type nat hook output priority -150
                    socket cgroupv2 level 2 "unified/it's/pinhole-4711" meta nfproto ipv4 meta l4proto tcp redirect to :7070
                    socket cgroupv2 level 2 "unified/it's/pinhole-4711" meta nfproto ipv6 meta l4proto tcp redirect to :7071
                  }
                  chain quic {
                    type filter hook output priority 0
                    socket cgroupv2 level 2 "unified/it's/pinhole-4711" udp dport 443 reject
                  }
                }
                """
        )
    }

    @Test("without IPv6 there is no rule for it")
    func version4() {
        let plan = AttachPlan(pid: 1, started: 9, origin: Self.origin, port: 7070, port6: nil)
        #expect(!plan.rules.contains("ipv6") && plan.rules.contains("redirect to :7070\n  }"))
        let words = ["--process", "1", "--started", "9", "--cgroup", Self.origin.folder, "--port", "7070"]
        #expect(plan.arguments == words)
    }

    @Test("the steps are commands for a shell, in an order in which nothing is redirected before it is moved")
    func steps() throws {
        let origin = ControlGroup(folder: "/cg", level: 0)
        let plan = AttachPlan(pid: 12, started: 9, origin: origin, port: 1, port6: 2)
        #expect(plan.arguments.suffix(2) == ["--port6", "2"])
        let steps = plan.steps(moving: [12, 14])
        #expect(steps.count == 3)
        #expect(steps.first == "mkdir /cg/pinhole-12")
        #expect(steps.last == "for pid in 12 14; do echo $pid > /cg/pinhole-12/cgroup.procs; done")
        let nft = try #require(steps.dropFirst().first)
        #expect(nft == "nft '\(plan.rules)'")
        #expect(
            plan.undoing == [
                "nft 'add table inet pinhole-12; delete table inet pinhole-12'",
                "for pid in $(cat /cg/pinhole-12/cgroup.procs); do echo $pid > /cg/cgroup.procs; done",
                "rmdir /cg/pinhole-12",
            ]
        )
    }

    @Test("an undo file is read back, and nothing else is taken for one")
    func records() throws {
        let record = try #require(AttachUndo.Record("pinhole-12", "/cg/pinhole-12\n"))
        #expect(record.folder == "/cg/pinhole-12")
        #expect(try #require(AttachUndo.Record("pinhole-12", "")).folder == nil)
        for (name, content) in [
            ("pinhole-12", "/cg/pinhole-13\n"), ("pinhole-12", "cg/pinhole-12\n"), ("pinhole-12", "/cg\n"),
            ("pinhole-x", "/cg/pinhole-x\n"), ("lock", "/cg/lock\n"), ("pinhole-1;x", "/pinhole-1;x"),
        ] {
            #expect(AttachUndo.Record(name, content) == nil, "\(name) \(content)")
        }
    }

    @Test(
        "a report survives its line",
        arguments: [AttachReport.undone("pinhole-7"), .attached, .released, .empty]
    )
    func reports(report: AttachReport) {
        #expect(AttachReport(report.line) == report)
    }

    @Test(
        "other lines are no reports",
        arguments: ["", "attached 3", "undone", "empty 1", "released now", "hello"]
    )
    func noReports(line: String) {
        #expect(AttachReport(line) == nil)
    }
}
