module github.com/ringtrue/ringtrue/bench/peers

go 1.26.0

require github.com/maxhawkins/go-webrtcvad v0.0.0-20210121163624-be60036f3083
