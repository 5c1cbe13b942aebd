package planted

import "testing"

func FuzzConsumerProtocolSubscription(f *testing.F) {
	f.Fuzz(func(_ *testing.T, data []byte) { _ = Subscription(data) })
}
