import PinholeTestKit
import Testing

@testable import PinholeLock

@Suite("Lock")
struct LockTests {
    private struct Refusal: Error, Equatable {
        var number: Int
    }

    private final class Witness: Sendable {
        let lives: Lock<Int>

        init(_ lives: Lock<Int>) {
            self.lives = lives
            lives.withLock { $0 += 1 }
        }

        deinit { lives.withLock { $0 -= 1 } }
    }

    @Test("hands the value to one thread at a time")
    func exclusion() async {
        let count = Lock(0)
        await atOnce(8, width: 8) { _ in
            for _ in 0..<5000 { count.withLock { $0 += 1 } }
        }
        #expect(count.withLock { $0 } == 40000)
    }

    @Test("returns the result of the body, and keeps its changes")
    func value() {
        let words = Lock(["one"])
        let count = words.withLock { words in
            words.append("two")
            return words.count
        }
        #expect(count == 2)
        #expect(words.withLock { $0 } == ["one", "two"])
    }

    @Test("rethrows the error of the body, and is unlocked")
    func failure() {
        let number = Lock(1)
        #expect(throws: Refusal(number: 2)) {
            try number.withLock { number throws(Refusal) in
                number = 2
                throw Refusal(number: number)
            }
        }
        #expect(number.withLock { $0 } == 2)
    }

    @Test("lets its value go when it is let go")
    func release() {
        let lives = Lock(0)
        var box: Lock<Witness>? = Lock(Witness(lives))
        #expect(lives.withLock { $0 } == 1)
        box = nil
        #expect(lives.withLock { $0 } == 0)
        #expect(box == nil)
    }

    @Test("may be taken while another one is held")
    func nesting() {
        let outer = Lock(1)
        let inner = Lock(2)
        #expect(outer.withLock { outer in inner.withLock { $0 + outer } } == 3)
    }

    @Test("stops the process where a thread takes it twice, which would wait for ever")
    func recursion() async {
        await #expect(processExitsWith: .failure) {
            let lock = Lock(0)
            lock.withLock { _ in lock.withLock { $0 += 1 } }
        }
    }
}
