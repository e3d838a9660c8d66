# with-interfaces.sh COMMAND...: runs a command with four network interfaces and a /sys that shows them.
# Call it in namespaces of its own: `unshare --net --mount sh with-interfaces.sh COMMAND...`.
set -e
mount -t sysfs sysfs /sys
ip link set lo up
for n in 0 1 2 3; do
  ip tuntap add dev nic$n mode tap
  ip address add 10.9.$n.1/24 dev nic$n
  ip link set nic$n up
done
exec "$@"
