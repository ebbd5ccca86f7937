import Testing

@testable import PinholeCommand

@Suite("ControlGroup")
struct ControlGroupTests {
    private static let hybridMounts = """
        33 27 0:29 / /sys/fs/cgroup rw,relatime - tmpfs tmpfs rw,mode=755
        40 33 0:37 / /sys/fs/cgroup/systemd rw,relatime - cgroup cgroup rw,name=systemd
        41 33 0:38 / /sys/fs/cgroup/unified rw,relatime shared:9 master:3 - cgroup2 cgroup2 rw
        """

    private static func mounts(_ root: String, at place: String) -> String {
        "41 33 0:38 \(root) \(place) rw,relatime - cgroup2 cgroup2 rw,nsdelegate\n"
    }

    @Test("the root of a hybrid hierarchy is found")
    func hybrid() throws {
        let membership = "9:name=systemd:/user.slice\n4:memory:/x\n0::/\n"
        let group = try #require(ControlGroup(membership: membership, mounts: Self.hybridMounts))
        #expect(group == ControlGroup(folder: "/sys/fs/cgroup/unified", level: 0))
        let child = group.child("pinhole-7")
        #expect(child == ControlGroup(folder: "/sys/fs/cgroup/unified/pinhole-7", level: 1))
        #expect(child.pathForNft == "unified/pinhole-7")
        #expect(child.processes == "/sys/fs/cgroup/unified/pinhole-7/cgroup.procs")
    }

    @Test("a unit of systemd is found")
    func unified() throws {
        let membership = #"0::/user.slice/app-gnome\x2dterminal.scope"# + "\n"
        let group = try #require(
            ControlGroup(membership: membership, mounts: Self.mounts("/", at: "/sys/fs/cgroup"))
        )
        #expect(group.folder == #"/sys/fs/cgroup/user.slice/app-gnome\x2dterminal.scope"#)
        #expect(group.level == 2)
        #expect(group.pathForNft == #"user.slice/app-gnome\x2dterminal.scope"#)
    }

    @Test("a mount elsewhere, of a part of the hierarchy, is used with its own path")
    func elsewhere() throws {
        let mounts = Self.mounts("/other", at: "/no") + Self.mounts("/a", at: #"/mnt/c\040g\134"#)
        let group = try #require(ControlGroup(membership: "0::/a/b\n", mounts: mounts))
        #expect(group == ControlGroup(folder: #"/mnt/c g\/b"#, level: 2))
        #expect(group.pathForNft == #"../../../mnt/c g\/b"#)
    }

    private static let refused: [(String, String)] = [
        ("0::/a\n", ""), ("0::/a\n", mounts("/b", at: "/sys/fs/cgroup")), ("", hybridMounts),
        ("1:cpu:/a\n", hybridMounts), ("0::/../a\n", hybridMounts), ("0::/a\"b\n", hybridMounts),
        ("0::/a\u{1b}b\n", hybridMounts), ("0::/a\n", "41 33 0:38 / /x rw - cgroup none rw\n"),
        ("0::/a\n", "- cgroup2"), ("0::/a\n", "a b c - "),
    ]

    @Test("a cgroup that is not mounted here, or cannot be quoted, is none", arguments: refused)
    func none(membership: String, mounts: String) {
        #expect(ControlGroup(membership: membership, mounts: mounts) == nil)
    }

    @Test("the cgroup of an attachment counts as the cgroup around it")
    func origin() {
        let group = ControlGroup(folder: "/sys/fs/cgroup/a", level: 1)
        #expect(group.child("pinhole-4711").origin == group)
        #expect(group.origin == group)
        for name in [
            "pinhole-", "pinhole-x", "pinhole-07", "pinhole-99999999999", "pinhole.service", "my-pinhole-7",
        ] {
            #expect(group.child(name).origin == group.child(name), "\(name)")
        }
    }
}
