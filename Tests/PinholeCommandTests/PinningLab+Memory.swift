import PinholeLab
import PinholeTestKit

extension PinningLab.Options {
    /// Lets no deadline pass beside hundreds of tests, and lets clients that behave alike meet each server once.
    static var inMemory: PinningLab.Options {
        var options = PinningLab.Options()
        options.patience = Patience.limit
        options.judgesInMemory = true
        return options
    }
}
