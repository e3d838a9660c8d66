# with-gpus.sh COMMAND...: runs a command with a /sys and a /dev in which there are $GPUS AMD GPUs.
# Call it in a mount namespace: `GPUS=4 unshare --mount sh with-gpus.sh COMMAND...`.
set -e
mount -t tmpfs tmpfs /sys
mount -t tmpfs tmpfs /dev
mkdir -p /dev/dri /sys/bus/pci/devices /sys/module/amdgpu/drivers/pci:amdgpu
mknod /dev/null c 1 3
mknod /dev/urandom c 1 9
mknod /dev/kfd c 241 0
for n in $(seq 0 $((GPUS - 1))); do
  address=0000:1$n:00.0
  render=$((128 + n))
  gpu=/sys/devices/pci0000:0$n/$address
  node=/sys/class/kfd/kfd/topology/nodes/$((n + 1))
  mkdir -p $gpu/drm/card$n $gpu/drm/renderD$render $gpu/driver/module /sys/class/drm/card$n $node/mem_banks/0
  echo 0x1002 > $gpu/vendor
  echo "AMD Instinct MI300X OAM" > $gpu/product_name
  echo SPX > $gpu/current_compute_partition
  echo NPS1 > $gpu/current_memory_partition
  echo 0 > $gpu/numa_node
  echo 6.14.14 > $gpu/driver/module/version
  echo 0123456789ABCDEF > $gpu/driver/module/srcversion
  printf 'simd_count 1216\nsimd_per_cu 4\ndrm_render_minor %s\nunique_id 1%s\n' $render $n > $node/properties
  echo size_in_bytes 206141652992 > $node/mem_banks/0/properties
  ln -s $gpu /sys/bus/pci/devices/$address
  ln -s $gpu /sys/module/amdgpu/drivers/pci:amdgpu/$address
  ln -s $gpu /sys/class/drm/card$n/device
  mknod /dev/dri/card$n c 226 $n
  mknod /dev/dri/renderD$render c 226 $render
done
exec "$@"
