import PinholeLock
import Testing

@Suite("Change signals")
struct ChangeSignalTests {
    private final class Listener: Sendable {}

    @Test("a listener is called once, and at once if it missed a change")
    func once() {
        let signal = ChangeSignal()
        let (one, other) = (Listener(), Listener())
        let told = Lock(0)
        signal.tell(one, after: 0) { told.withLock { $0 += 1 } }
        signal.tell(other, after: 0) { told.withLock { $0 += 1 } }
        #expect(told.withLock { $0 } == 0)
        signal.raise()
        signal.raise()
        #expect(told.withLock { $0 } == 2 && signal.count == 2)
        signal.tell(one, after: 1) { told.withLock { $0 += 1 } }
        #expect(told.withLock { $0 } == 3)
    }

    @Test("a second action replaces the first, and a listener that is removed is not told")
    func replaces() {
        let signal = ChangeSignal()
        let (one, other) = (Listener(), Listener())
        signal.add(other)
        #expect(signal.isHeard)
        let told = Lock<[Int]>([])
        for number in 1...2 { signal.tell(one, after: 0) { told.withLock { $0.append(number) } } }
        signal.tell(other, after: 0) { told.withLock { $0.append(3) } }
        signal.remove(other)
        signal.raise()
        #expect(told.withLock { $0 } == [2] && signal.isHeard)
        signal.remove(one)
        #expect(!signal.isHeard)
    }

    @Test("an action may use the signal")
    func reentrant() {
        let signal = ChangeSignal()
        let listener = Listener()
        let told = Lock(0)
        signal.tell(listener, after: 0) {
            told.withLock { $0 += 1 }
            signal.tell(listener, after: signal.count) { told.withLock { $0 += 1 } }
        }
        signal.raise()
        #expect(told.withLock { $0 } == 1)
        signal.raise()
        #expect(told.withLock { $0 } == 2)
    }
}
