import Testing

@testable import PinholeModel

@Suite("Admission")
struct AdmissionTests {
    private static let anna = Admission.Holder.account(1)
    private static let ben = Admission.Holder.account(2)
    private static let one = Admission.Holder.user(1000)
    private static let other = Admission.Holder.user(1001)

    private let start = Timestamp(seconds: 1_000_000)

    private func admission(
        strangers: Int = 3,
        places: Int = 4,
        share: Int = 2
    ) -> Admission {
        Admission(
            AdmissionBounds(
                strangers: strangers,
                strangerTime: .seconds(10),
                places: places,
                share: share,
                idleTime: .seconds(60)
            )
        )
    }

    /// Adds a connection that has a place at once.
    private func place(
        _ id: Admission.ID,
        of holder: Admission.Holder,
        _ standing: (Admission.Holder?) -> Admission.Standing = Admission.Standing.busy,
        in admission: inout Admission,
        at now: Timestamp? = nil
    ) {
        _ = admission.arrive(id, from: Self.one, at: now ?? start)
        #expect(admission.change(id, to: standing(holder), at: now ?? start) == .admitted(evicted: []))
    }

    @Test("one more stranger takes the place of the oldest one, and of no connection with a login")
    func strangers() {
        var admission = admission()
        place(1, of: Self.anna, in: &admission)
        for id in UInt64(2)...4 { #expect(admission.arrive(id, from: Self.one, at: start) == []) }
        #expect(admission.arrive(5, from: Self.one, at: start) == [2])
        #expect(admission.arrive(6, from: Self.one, at: start) == [3])
        #expect(admission.holds(1) && !admission.holds(2) && admission.count == 4)
    }

    @Test("no connection arrives when the one user of all places is known, however the first ones came")
    func identified() {
        var admission = admission(share: 4)
        for id in UInt64(1)...4 {
            _ = admission.arrive(id, from: id < 3 ? .unknown : Self.one, at: start)
            #expect(admission.change(id, to: .busy(nil), at: start) == .admitted(evicted: []))
        }
        _ = admission.arrive(5, from: .unknown, at: start)
        #expect(admission.mayArrive(isShort: false), "another holder may take one of the places")
        for id in UInt64(1)...6 { admission.identify(id, as: Self.one) }
        #expect(!admission.mayArrive(isShort: false))
        #expect(admission.change(5, to: .busy(nil), at: start) == .refused)
        #expect(admission.count == 5 && admission.holds(1) && !admission.holds(6))
    }

    @Test("the oldest connection gives way, in whatever order peers become known")
    func identifiedInAnyOrder() {
        var admission = admission()
        for id in UInt64(1)...3 { #expect(admission.arrive(id, from: .unknown, at: start) == []) }
        for id in [3, 1, 2] as [UInt64] { admission.identify(id, as: Self.one) }
        for id in UInt64(4)...20 { #expect(admission.arrive(id, from: Self.one, at: start) == [id - 3]) }
    }

    @Test("the peer with most strangers loses one, not the peer that came first")
    func fairness() {
        var admission = admission()
        #expect(admission.arrive(1, from: Self.other, at: start) == [])
        for id in UInt64(2)...3 { #expect(admission.arrive(id, from: Self.one, at: start) == []) }
        for id in UInt64(4)...20 { #expect(admission.arrive(id, from: Self.one, at: start) == [id - 2]) }
        #expect(admission.holds(1))
    }

    @Test("an accepted request makes room for another stranger")
    func accepted() {
        var admission = admission()
        for id in UInt64(1)...3 { #expect(admission.arrive(id, from: Self.one, at: start) == []) }
        #expect(admission.change(1, to: .busy(Self.anna), at: start) == .admitted(evicted: []))
        #expect(admission.arrive(4, from: Self.one, at: start) == [])
        #expect(admission.count == 4)
    }

    @Test("an account with a full share loses its connection that is idle for the longest time")
    func share() {
        var admission = admission()
        place(1, of: Self.anna, Admission.Standing.idle, in: &admission)
        place(2, of: Self.anna, Admission.Standing.idle, in: &admission, at: start + .seconds(1))
        _ = admission.arrive(3, from: Self.one, at: start)
        #expect(admission.change(3, to: .busy(Self.anna), at: start) == .admitted(evicted: [1]))
        #expect(admission.change(2, to: .busy(Self.anna), at: start) == .admitted(evicted: []))
        _ = admission.arrive(4, from: Self.one, at: start)
        #expect(admission.change(4, to: .busy(Self.anna), at: start) == .refused)
        #expect(admission.change(4, to: .busy(Self.ben), at: start) == .admitted(evicted: []))
    }

    @Test("without a free place, a holder with fewer places takes one of the holder with most")
    func contention() {
        var admission = admission(places: 4, share: 4)
        for id in UInt64(1)...4 { place(id, of: Self.anna, in: &admission) }
        #expect(!admission.mayArrive(isShort: false))
        _ = admission.arrive(5, from: Self.one, at: start)
        #expect(admission.change(5, to: .busy(Self.ben), at: start) == .admitted(evicted: [1]))
        #expect(admission.mayArrive(isShort: false))
        _ = admission.arrive(6, from: Self.one, at: start)
        #expect(admission.change(6, to: .busy(Self.ben), at: start) == .admitted(evicted: [2]))
        _ = admission.arrive(7, from: Self.one, at: start)
        #expect(admission.change(7, to: .busy(Self.ben), at: start) == .refused)
    }

    @Test("a server without logins counts each connection for its peer")
    func withoutLogin() {
        var admission = admission()
        for id in UInt64(1)...2 {
            _ = admission.arrive(id, from: Self.one, at: start)
            #expect(admission.change(id, to: .busy(nil), at: start) == .admitted(evicted: []))
        }
        _ = admission.arrive(3, from: Self.one, at: start)
        #expect(admission.change(3, to: .busy(nil), at: start) == .refused)
        _ = admission.arrive(4, from: Self.other, at: start)
        #expect(admission.change(4, to: .busy(nil), at: start) == .admitted(evicted: []))
    }

    @Test("a connection whose next request is not accepted is a stranger again, and may give way")
    func demotion() {
        var admission = admission(strangers: 2)
        place(1, of: Self.anna, in: &admission)
        for id in UInt64(2)...3 { _ = admission.arrive(id, from: Self.one, at: start) }
        #expect(admission.change(1, to: .stranger, at: start + .seconds(1)) == .admitted(evicted: [2]))
        #expect(admission.arrive(4, from: Self.one, at: start + .seconds(2)) == [3])
        #expect(admission.arrive(5, from: Self.one, at: start + .seconds(2)) == [1])
    }

    @Test("strangers and idle connections end after their time; busy ones do not")
    func time() {
        var admission = admission()
        place(1, of: Self.anna, in: &admission)
        place(2, of: Self.anna, Admission.Standing.idle, in: &admission)
        _ = admission.arrive(3, from: Self.one, at: start + .seconds(1))
        #expect(admission.wake == start + .seconds(11))
        #expect(admission.overdue(at: start + .seconds(10)) == [])
        #expect(admission.overdue(at: start + .seconds(11)) == [3])
        #expect(admission.wake == start + .seconds(60))
        #expect(admission.overdue(at: start + .seconds(60)) == [2])
        #expect(admission.wake == nil && admission.count == 1)
        #expect(admission.overdue(at: start + .seconds(10_000)) == [])
    }

    @Test("without descriptors, a stranger gives way, then an idle connection; busy ones stay")
    func shortage() {
        var admission = admission()
        place(1, of: Self.anna, Admission.Standing.idle, in: &admission)
        place(2, of: Self.ben, in: &admission)
        #expect(admission.arrive(3, from: Self.one, isShort: true, at: start) == [1])
        #expect(admission.arrive(4, from: Self.one, isShort: true, at: start) == [3])
        #expect(admission.shed() == [4])
        #expect(admission.shed() == [] && !admission.mayArrive(isShort: true))
        #expect(admission.holds(2))
    }

    @Test("a connection that has given way changes nothing more")
    func gone() {
        var admission = admission(strangers: 1)
        _ = admission.arrive(1, from: Self.one, at: start)
        #expect(admission.arrive(2, from: Self.one, at: start) == [1])
        #expect(admission.change(1, to: .busy(Self.anna), at: start) == .admitted(evicted: []))
        admission.close(1)
        #expect(admission.count == 1)
    }

    @Test("bounds hold after any order of events", arguments: UInt64(1)...20)
    func walk(seed: UInt64) {
        var state = seed
        func random(_ count: UInt64) -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return (state >> 33) % count
        }
        var admission = admission(strangers: 5, places: 7, share: 4)
        var open: Set<UInt64> = []
        var standings: [UInt64: Admission.Standing] = [:]
        func close(_ ids: [UInt64]) {
            for id in ids {
                #expect(open.remove(id) != nil)
                standings[id] = nil
            }
        }
        for step in UInt64(1)...2000 {
            let now = start + .seconds(Int(step))
            let holder = Admission.Holder.account(Int(random(4)))
            switch random(6) {
            case 0, 1:
                close(
                    admission.arrive(step, from: .user(UInt32(random(3))), isShort: random(9) == 0, at: now)
                )
                open.insert(step)
                standings[step] = .stranger
            case 2: close(admission.overdue(at: now))
            case 3:
                guard let id = open.sorted().dropFirst(Int(random(12))).first else { continue }
                admission.close(id)
                close([id])
            default:
                guard let id = open.sorted().dropFirst(Int(random(12))).first else { continue }
                let standing: Admission.Standing =
                    [.stranger, .busy(holder), .idle(holder), .busy(holder)][Int(random(4))]
                switch admission.change(id, to: standing, at: now) {
                case .admitted(let evicted):
                    close(evicted)
                    standings[id] = standing
                case .refused: standings[id] = .stranger
                }
            }
            #expect(admission.count == open.count)
            let strangers = standings.values.count { $0 == .stranger }
            // A refused connection is a stranger beyond the bound until its server has closed it.
            #expect(open.count - strangers <= 7)
            for account in 0..<4 {
                let held = standings.values.count {
                    $0 == .busy(.account(account)) || $0 == .idle(.account(account))
                }
                #expect(held <= 4)
            }
        }
    }
}
