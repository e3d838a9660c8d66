# make-root.sh LIBRARY VERSION: makes the folder `root` with the NVML library of nvml-mock and the device files of eight GPUs.
set -e
mkdir -p root/usr/lib64 root/usr/bin root/dev
cp "$1" "root/usr/lib64/libnvidia-ml.so.$2"
ln -s "libnvidia-ml.so.$2" root/usr/lib64/libnvidia-ml.so.1
touch "root/usr/lib64/libcuda.so.$2"
printf '#!/bin/sh\n' > root/usr/bin/nvidia-smi
chmod +x root/usr/bin/nvidia-smi
mknod root/dev/nvidiactl c 195 255
mknod root/dev/nvidia-uvm c 511 0
for n in 0 1 2 3 4 5 6 7; do mknod root/dev/nvidia$n c 195 $n; done
