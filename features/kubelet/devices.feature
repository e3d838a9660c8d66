Feature: A kubelet gives containers the devices of the ResourceClaims that they use

  Background:
    Given DRA driver "dra.example.com" on the node

  @case:by-request
  @KUBELET/devices/by-request @KUBELET/devices/none
  Scenario: Containers get the devices of the requests that they name
    Given ResourceClaim "c" is already allocated
      | request | device |
      | one     | gpu-0  |
      | two     | gpu-1  |
      | two     | gpu-2  |
    And a pod "p" with the containers
      | container | claims       |
      | all       | c            |
      | first     | c/one        |
      | second    | c/two        |
      | both      | c/one, c/two |
      | neither   |              |
    When the kubelet prepares pod "p"
    Then pod "p" is prepared
    And container "all" of pod "p" gets the devices "gpu-0, gpu-1, gpu-2"
    And container "first" of pod "p" gets the device "gpu-0"
    And container "second" of pod "p" gets the devices "gpu-1, gpu-2"
    And container "both" of pod "p" gets the devices "gpu-0, gpu-1, gpu-2"
    And container "neither" of pod "p" gets no device

  @case:init-containers
  @KUBELET/devices/by-request
  Scenario: An init container and a sidecar get the devices of their ResourceClaims
    Given ResourceClaim "c" is already allocated
      | device |
      | gpu-0  |
    And ResourceClaim "d" is already allocated
      | device |
      | gpu-1  |
    And a pod "p" with the containers
      | container | kind    | claims |
      | setup     | init    | c      |
      | helper    | sidecar | d      |
      | main      |         | c, d   |
    When the kubelet prepares pod "p"
    Then pod "p" is prepared
    And container "setup" of pod "p" gets the device "gpu-0"
    And container "helper" of pod "p" gets the device "gpu-1"
    And container "main" of pod "p" gets the devices "gpu-0, gpu-1"

  @case:requests-of-init-containers
  @KUBELET/devices/by-request
  Scenario: An init container and a sidecar get the devices of the requests that they name
    Given ResourceClaim "c" is already allocated
      | request | device |
      | one     | gpu-0  |
      | two     | gpu-1  |
    And a pod "p" with the containers
      | container | kind    | claims |
      | setup     | init    | c/one  |
      | helper    | sidecar | c/two  |
      | main      |         | c      |
    When the kubelet prepares pod "p"
    Then pod "p" is prepared
    And container "setup" of pod "p" gets the device "gpu-0"
    And container "helper" of pod "p" gets the device "gpu-1"
    And container "main" of pod "p" gets the devices "gpu-0, gpu-1"

  @case:two-drivers
  @KUBELET/devices/by-request
  Scenario: A container gets the devices of both drivers of its ResourceClaim
    Given DRA driver "nic.example.com" on the node
    And ResourceClaim "c" is already allocated
      | request | device | driver          |
      | gpu     | gpu-0  | dra.example.com |
      | nic     | nic-0  | nic.example.com |
    And a pod "p" with the containers
      | container | claims |
      | all       | c      |
      | network   | c/nic  |
    When the kubelet prepares pod "p"
    Then pod "p" is prepared
    And container "all" of pod "p" gets the devices "gpu-0, nic-0"
    And container "network" of pod "p" gets the device "nic-0"

  @case:before-prepare
  @KUBELET/devices/none @KUBELET/devices/not-prepared
  Scenario: A container cannot start before its ResourceClaim is prepared
    Given ResourceClaim "c" is already allocated
      | device |
      | gpu-0  |
    And a pod "p" that uses ResourceClaim "c"
    And a pod "q" without ResourceClaims
    When the kubelet prepares pod "q"
    Then pod "q" is prepared
    And container "main" of pod "q" gets no device
    And container "main" of pod "p" cannot start

  @case:after-unprepare
  @KUBELET/devices/not-prepared
  Scenario: A container cannot start after its ResourceClaim is unprepared for the last pod
    Given ResourceClaim "c" is already allocated
      | device |
      | gpu-0  |
    And a pod "p" that uses ResourceClaim "c"
    And a pod "q" that uses ResourceClaim "c"
    When the kubelet prepares pods "p, q"
    And the kubelet unprepares pods "p, q"
    Then pod "q" is unprepared
    And container "main" of pod "p" cannot start
    And container "main" of pod "q" cannot start

  @case:namespaces
  @KUBELET/prepare/once @KUBELET/devices/by-request @KUBELET/pod-resources/claims
  Scenario: Pods of the same name in two namespaces get the devices of their own ResourceClaims
    Given ResourceClaim "c" is already allocated
      | device |
      | gpu-0  |
    And ResourceClaim "team/c" is already allocated
      | device |
      | gpu-1  |
    And a pod "p" that uses ResourceClaim "c"
    And a pod "team/p" that uses ResourceClaim "c"
    When the kubelet prepares pods "p, team/p"
    Then pod "p" is prepared
    And pod "team/p" is prepared
    And container "main" of pod "p" gets the device "gpu-0"
    And container "main" of pod "team/p" gets the device "gpu-1"
    And the PodResources API shows ResourceClaim "c" of container "main" of pod "p" with the device "dra.example.com/pool-1/gpu-0"
    And the PodResources API shows ResourceClaim "team/c" of container "main" of pod "team/p" with the device "dra.example.com/pool-1/gpu-1"

  @case:pod-resources
  @KUBELET/pod-resources/claims
  Scenario: The PodResources API lists the ResourceClaims of each container with their devices
    Given DRA driver "nic.example.com" on the node
    And ResourceClaim "c" is already allocated
      | device | driver          | pool     |
      | gpu-0  | dra.example.com | rack-1   |
      | nic-0  | nic.example.com | switch-7 |
    And ResourceClaim "d" is already allocated
      | device |
      | gpu-1  |
    And a pod "p" with the containers
      | container | claims |
      | one       | c      |
      | two       | c, d   |
    When the kubelet prepares pod "p"
    Then the PodResources API shows ResourceClaim "c" of container "one" of pod "p" with the devices "dra.example.com/rack-1/gpu-0, nic.example.com/switch-7/nic-0"
    And the PodResources API shows ResourceClaim "c" of container "two" of pod "p" with the devices "dra.example.com/rack-1/gpu-0, nic.example.com/switch-7/nic-0"
    And the PodResources API shows ResourceClaim "d" of container "two" of pod "p" with the device "dra.example.com/pool-1/gpu-1"
    And the PodResources API does not show ResourceClaim "d" of container "one" of pod "p"

  @case:cdi-devices-in-pod-resources
  @KUBELET/pod-resources/claims
  Scenario: The PodResources API lists each of two devices with its own CDI devices
    Given ResourceClaim "c" is already allocated
      | request | device |
      | one     | gpu-0  |
      | two     | gpu-1  |
    And a pod "p" that uses ResourceClaim "c"
    When the kubelet prepares pod "p"
    Then the PodResources API shows each device of ResourceClaim "c" of container "main" of pod "p" with its own CDI devices

  @case:pod-resources-beside-a-failed-pod
  @KUBELET/pod-resources/claims
  Scenario: The PodResources API lists a prepared pod while another pod cannot be prepared
    Given ResourceClaim "c" is already allocated
      | device |
      | gpu-0  |
    And a pod "p" that uses ResourceClaim "c"
    And a pod "q" that uses ResourceClaim "missing"
    When the kubelet prepares pods "p, q"
    Then pod "p" is prepared
    And preparing pod "q" fails
    And the PodResources API shows ResourceClaim "c" of container "main" of pod "p" with the device "dra.example.com/pool-1/gpu-0"

  @case:pod-resources-after-the-end
  @KUBELET/pod-resources/claims
  Scenario: The PodResources API no longer lists the ResourceClaim of a pod that has ended
    Given ResourceClaim "c" is already allocated
      | device |
      | gpu-0  |
    And a pod "p" that uses ResourceClaim "c"
    And a pod "q" that uses ResourceClaim "c"
    When the kubelet prepares pods "p, q"
    Then the PodResources API shows ResourceClaim "c" of container "main" of pod "q" with the device "dra.example.com/pool-1/gpu-0"
    When the kubelet unprepares pod "q"
    And the kubelet no longer has pod "q"
    Then the PodResources API does not show ResourceClaim "c" of container "main" of pod "q"
    And the PodResources API shows ResourceClaim "c" of container "main" of pod "p" with the device "dra.example.com/pool-1/gpu-0"

  @case:pod-resources-after-unprepare
  @KUBELET/pod-resources/claims
  Scenario: The PodResources API no longer lists a ResourceClaim that is unprepared
    Given ResourceClaim "c" is already allocated
      | device |
      | gpu-0  |
    And a pod "p" that uses ResourceClaim "c"
    When the kubelet prepares pod "p"
    Then the PodResources API shows ResourceClaim "c" of container "main" of pod "p" with the device "dra.example.com/pool-1/gpu-0"
    When the kubelet unprepares pod "p"
    Then the PodResources API does not show ResourceClaim "c" of container "main" of pod "p"

  @case:entries-and-claims
  @KUBELET/devices/by-request
  Scenario: A container gets the devices of its entry's claim, not of a claim named like the entry
    Given ResourceClaim "left" is already allocated
      | device |
      | gpu-0  |
    And ResourceClaim "right" is already allocated
      | device |
      | gpu-1  |
    And the object
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: p}
      spec:
        resourceClaims:
        - {name: right, resourceClaimName: left}
        - {name: left, resourceClaimName: right}
        containers:
        - {name: one, image: registry.k8s.io/pause:3.10, resources: {claims: [{name: left}]}}
        - {name: two, image: registry.k8s.io/pause:3.10, resources: {claims: [{name: right}]}}
      """
    When the kubelet prepares pod "p"
    Then pod "p" is prepared
    And driver "dra.example.com" is called once to prepare ResourceClaims "left, right"
    And container "one" of pod "p" gets the device "gpu-1"
    And container "two" of pod "p" gets the device "gpu-0"

  @case:two-entries-one-claim
  @KUBELET/devices/by-request
  Scenario: Both entries of a pod for one ResourceClaim give their containers its devices
    Given ResourceClaim "c" is already allocated
      | device |
      | gpu-0  |
    And the object
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: p}
      spec:
        resourceClaims:
        - {name: first, resourceClaimName: c}
        - {name: second, resourceClaimName: c}
        containers:
        - {name: one, image: registry.k8s.io/pause:3.10, resources: {claims: [{name: first}]}}
        - {name: two, image: registry.k8s.io/pause:3.10, resources: {claims: [{name: second}]}}
      """
    When the kubelet prepares pod "p"
    Then pod "p" is prepared
    And container "one" of pod "p" gets the device "gpu-0"
    And container "two" of pod "p" gets the device "gpu-0"
    But since Kubernetes 1.34, because a ResourceClaim that two entries name is sent twice and answered once: preparing pod "p" fails

  @case:generated-claims
  @KUBELET/devices/by-request @KUBELET/prepare/one-call-per-driver
  Scenario: A container gets the devices of the ResourceClaim that is generated for its entry
    Given ResourceClaim "p-gpu-k4x9q" is already allocated
      | request | device |
      | r0      | gpu-0  |
    And ResourceClaim "p-nic-7hz2m" is already allocated
      | request | device |
      | r0      | nic-0  |
    And ResourceClaim "gpu" is already allocated
      | request | device |
      | r0      | gpu-7  |
    And the object
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: p}
      spec:
        resourceClaims:
        - {name: gpu, resourceClaimTemplateName: template}
        - {name: nic, resourceClaimTemplateName: template}
        containers:
        - {name: one, image: registry.k8s.io/pause:3.10, resources: {claims: [{name: gpu, request: r0}]}}
        - {name: two, image: registry.k8s.io/pause:3.10, resources: {claims: [{name: nic}]}}
      """
    And ResourceClaim "p-nic-7hz2m" is generated for the entry "nic" of pod "p"
    And ResourceClaim "p-gpu-k4x9q" is generated for the entry "gpu" of pod "p"
    When the kubelet prepares pod "p"
    Then pod "p" is prepared
    And driver "dra.example.com" is called once to prepare ResourceClaims "p-gpu-k4x9q, p-nic-7hz2m"
    And container "one" of pod "p" gets the device "gpu-0"
    And container "two" of pod "p" gets the device "nic-0"
    When the kubelet unprepares pod "p"
    Then pod "p" is unprepared
    And driver "dra.example.com" is called once to unprepare ResourceClaims "p-gpu-k4x9q, p-nic-7hz2m"

  @case:container-without-generated-claims
  @KUBELET/devices/none
  Scenario: A container that uses no ResourceClaim gets no device of a generated ResourceClaim
    Given ResourceClaim "p-gpu-k4x9q" is already allocated
      | device |
      | gpu-0  |
    And the object
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: p}
      spec:
        resourceClaims:
        - {name: gpu, resourceClaimTemplateName: template}
        initContainers:
        - {name: setup, image: registry.k8s.io/pause:3.10}
        containers:
        - {name: main, image: registry.k8s.io/pause:3.10, resources: {claims: [{name: gpu}]}}
        - {name: other, image: registry.k8s.io/pause:3.10}
      """
    And ResourceClaim "p-gpu-k4x9q" is generated for the entry "gpu" of pod "p"
    When the kubelet prepares pod "p"
    Then pod "p" is prepared
    And container "main" of pod "p" gets the device "gpu-0"
    And container "other" of pod "p" gets no device
    And container "setup" of pod "p" gets no device

  @case:similar-request-names
  @KUBELET/devices/by-request
  Scenario: A container that names a request gets no device of a request with a longer name
    Given ResourceClaim "c" is already allocated
      | request | device |
      | gpu     | gpu-0  |
      | gpu-2   | gpu-1  |
    And a pod "p" with the containers
      | container | claims  |
      | first     | c/gpu   |
      | second    | c/gpu-2 |
    When the kubelet prepares pod "p"
    Then pod "p" is prepared
    And container "first" of pod "p" gets the device "gpu-0"
    And container "second" of pod "p" gets the device "gpu-1"

  @case:subrequests
  @KUBELET/devices/by-request
  Scenario: A container that names a request gets the device of its allocated subrequest
    Given the object
      """
      apiVersion: resource.k8s.io/v1
      kind: ResourceClaim
      metadata: {name: c, namespace: default}
      spec:
        devices:
          requests:
          - name: gpu
            firstAvailable:
            - {name: large, deviceClassName: any, allocationMode: ExactCount, count: 1}
            - {name: small, deviceClassName: any, allocationMode: ExactCount, count: 1}
          - {name: nic, exactly: {deviceClassName: any, allocationMode: ExactCount, count: 1}}
      """
    And ResourceClaim "c" is already allocated
      | request   | device |
      | gpu/small | gpu-0  |
      | nic       | nic-0  |
    And a pod "p" with the containers
      | container | claims |
      | first     | c/gpu  |
      | second    | c/nic  |
    When the kubelet prepares pod "p"
    Then pod "p" is prepared
    And container "first" of pod "p" gets the device "gpu-0"
    And container "second" of pod "p" gets the device "nic-0"

  @case:devices-for-all-requests
  @KUBELET/devices/all-requests
  Scenario: A device that the driver prepares for no particular request belongs to every request
    Given ResourceClaim "c" is already allocated
      | request | device |
      | one     | gpu-0  |
      | two     | gpu-1  |
    And a pod "p" with the containers
      | container | claims |
      | first     | c/one  |
      | second    | c/two  |
    When driver "dra.example.com" now answers calls to prepare with devices that name no request
    And the kubelet prepares pod "p"
    Then pod "p" is prepared
    And container "first" of pod "p" gets the devices "gpu-0, gpu-1"
    And container "second" of pod "p" gets the devices "gpu-0, gpu-1"

  @case:devices-with-and-without-requests
  @KUBELET/devices/all-requests @KUBELET/devices/by-request
  Scenario: A prepared device that names no request also belongs to a request for another driver
    Given DRA driver "nic.example.com" on the node
    And ResourceClaim "c" is already allocated
      | request | device | driver          |
      | gpu     | gpu-0  | dra.example.com |
      | nic     | nic-0  | nic.example.com |
    And a pod "p" with the containers
      | container | claims |
      | first     | c/gpu  |
      | second    | c/nic  |
    When driver "dra.example.com" now answers calls to prepare with devices that name no request
    And the kubelet prepares pod "p"
    Then pod "p" is prepared
    And container "first" of pod "p" gets the device "gpu-0"
    And container "second" of pod "p" gets the devices "gpu-0, nic-0"

  @case:requests-of-two-claims
  @KUBELET/devices/by-request
  Scenario: Requests with equal names in two ResourceClaims are distinguished by ResourceClaim
    Given ResourceClaim "c" is already allocated
      | request | device |
      | one     | gpu-0  |
      | two     | gpu-1  |
    And ResourceClaim "d" is already allocated
      | request | device |
      | one     | gpu-2  |
      | two     | gpu-3  |
    And a pod "p" with the containers
      | container | claims       |
      | crossed   | c/one, d/two |
      | mixed     | c/two, d     |
    When the kubelet prepares pod "p"
    Then pod "p" is prepared
    And container "crossed" of pod "p" gets the devices "gpu-0, gpu-3"
    And container "mixed" of pod "p" gets the devices "gpu-1, gpu-2, gpu-3"

  @case:driver-stopped
  @KUBELET/devices/by-request
  Scenario: A container of a prepared pod gets its device although the driver is stopped
    Given ResourceClaim "c" is already allocated
      | device |
      | gpu-0  |
    And a pod "p" that uses ResourceClaim "c"
    When the kubelet prepares pod "p"
    Then pod "p" is prepared
    When driver "dra.example.com" is stopped
    Then container "main" of pod "p" gets the device "gpu-0"

  @case:admin-access
  @KUBELET/devices/by-request
  Scenario: A container gets the devices that are allocated with adminAccess
    Given DRA driver "nic.example.com" on the node
    And ResourceClaim "c" is already allocated
      | request | device | driver          | adminAccess |
      | gpu     | gpu-0  | dra.example.com | yes         |
      | nic     | nic-0  | nic.example.com |             |
    And a pod "p" with the containers
      | container | claims |
      | all       | c      |
      | monitor   | c/gpu  |
    When the kubelet prepares pod "p"
    Then pod "p" is prepared
    And driver "dra.example.com" is called once to prepare ResourceClaim "c"
    And container "all" of pod "p" gets the devices "gpu-0, nic-0"
    And container "monitor" of pod "p" gets the device "gpu-0"
    When the kubelet unprepares pod "p"
    Then driver "dra.example.com" is called once to unprepare ResourceClaim "c"
    And driver "nic.example.com" is called once to unprepare ResourceClaim "c"

  @case:last-device-of-another-driver
  @KUBELET/devices/by-request @KUBELET/prepare/one-call-per-driver
  Scenario: A driver that has only the last device of a ResourceClaim is called for it
    Given DRA driver "nic.example.com" on the node
    And ResourceClaim "c" is already allocated
      | request | device | driver          |
      | gpu     | gpu-0  | dra.example.com |
      | gpu     | gpu-1  | dra.example.com |
      | gpu     | gpu-2  | dra.example.com |
      | nic     | nic-0  | nic.example.com |
    And a pod "p" that uses ResourceClaim "c"
    When the kubelet prepares pod "p"
    Then pod "p" is prepared
    And driver "dra.example.com" is called once to prepare ResourceClaim "c"
    And driver "nic.example.com" is called once to prepare ResourceClaim "c"
    And container "main" of pod "p" gets the devices "gpu-0, gpu-1, gpu-2, nic-0"

  @case:requests-of-two-pods
  @KUBELET/devices/by-request
  Scenario: Two pods that share a ResourceClaim get the devices of the requests that each names
    Given ResourceClaim "c" is already allocated
      | request | device |
      | one     | gpu-0  |
      | two     | gpu-1  |
    And a pod "p" with the containers
      | container | claims |
      | main      | c/one  |
    And a pod "q" with the containers
      | container | claims |
      | main      | c/two  |
    And a pod "r" that uses ResourceClaim "c"
    When the kubelet prepares pods "p, q, r"
    Then pod "r" is prepared
    And container "main" of pod "p" gets the device "gpu-0"
    And container "main" of pod "q" gets the device "gpu-1"
    And container "main" of pod "r" gets the devices "gpu-0, gpu-1"

  @case:devices-of-one-name
  @KUBELET/devices/by-request @KUBELET/pod-resources/claims
  Scenario: Devices of the same name in two pools or of two drivers are distinguished
    Given DRA driver "nic.example.com" on the node
    And ResourceClaim "c" is already allocated
      | request | device | driver          | pool   |
      | one     | dev-0  | dra.example.com | rack-1 |
      | two     | dev-0  | dra.example.com | rack-2 |
      | three   | dev-0  | nic.example.com | rack-1 |
    And a pod "p" that uses ResourceClaim "c"
    When the kubelet prepares pod "p"
    Then pod "p" is prepared
    And container "main" of pod "p" gets the devices "dev-0, dev-0, dev-0"
    And the PodResources API shows ResourceClaim "c" of container "main" of pod "p" with the devices "dra.example.com/rack-1/dev-0, dra.example.com/rack-2/dev-0, nic.example.com/rack-1/dev-0"

  @case:device-of-two-requests
  @KUBELET/devices/by-request
  Scenario: A device that the driver prepares for two requests belongs to both
    Given ResourceClaim "c" is already allocated
      | request | device |
      | one     | gpu-0  |
      | two     | gpu-1  |
    And a pod "p" with the containers
      | container | claims |
      | first     | c/one  |
      | second    | c/two  |
    When driver "dra.example.com" now answers calls to prepare with devices that name all requests
    And the kubelet prepares pod "p"
    Then pod "p" is prepared
    And container "first" of pod "p" gets the devices "gpu-0, gpu-1"
    And container "second" of pod "p" gets the devices "gpu-0, gpu-1"

  @case:two-cdi-names
  @KUBELET/devices/by-request @KUBELET/pod-resources/claims
  Scenario: A container gets all CDI devices of a device
    Given ResourceClaim "c" is already allocated
      | request | device |
      | one     | gpu-0  |
      | two     | gpu-1  |
    And a pod "p" with the containers
      | container | claims |
      | all       | c      |
      | second    | c/two  |
    When driver "dra.example.com" now answers calls to prepare with two CDI names for each device
    And the kubelet prepares pod "p"
    Then pod "p" is prepared
    And the PodResources API shows ResourceClaim "c" of container "all" of pod "p" with the devices "dra.example.com/pool-1/gpu-0, dra.example.com/pool-1/gpu-1"
    And container "all" of pod "p" gets the devices "gpu-0, gpu-0, gpu-1, gpu-1"
    And container "second" of pod "p" gets the devices "gpu-1, gpu-1"
    When the kubelet is killed and started again
    Then container "second" of pod "p" gets the devices "gpu-1, gpu-1"

  @case:no-cdi-names
  @KUBELET/devices/by-request @KUBELET/pod-resources/claims
  Scenario: A pod with a device that has no CDI device is prepared, and its container starts
    Given DRA driver "nic.example.com" on the node
    And ResourceClaim "c" is already allocated
      | request | device | driver          |
      | gpu     | gpu-0  | dra.example.com |
      | nic     | nic-0  | nic.example.com |
    And a pod "p" that uses ResourceClaim "c"
    When driver "dra.example.com" now answers calls to prepare with no CDI names
    And the kubelet prepares pod "p"
    Then pod "p" is prepared
    And container "main" of pod "p" gets the device "nic-0"
    And the PodResources API shows ResourceClaim "c" of container "main" of pod "p" with the devices "dra.example.com/pool-1/gpu-0, nic.example.com/pool-1/nic-0"

  @case:pod-resources-of-generated-claims
  @KUBELET/pod-resources/claims
  Scenario: The PodResources API lists a generated ResourceClaim by its own name
    Given ResourceClaim "p-gpu-k4x9q" is already allocated
      | device |
      | gpu-0  |
    And a pod "p" that uses the ResourceClaimTemplate "template" as "gpu"
    And ResourceClaim "p-gpu-k4x9q" is generated for the entry "gpu" of pod "p"
    When the kubelet prepares pod "p"
    Then pod "p" is prepared
    And the PodResources API shows ResourceClaim "p-gpu-k4x9q" of container "main" of pod "p" with the device "dra.example.com/pool-1/gpu-0"
    And the PodResources API does not show ResourceClaim "gpu" of container "main" of pod "p"

  @case:pod-resources-of-a-sidecar
  @KUBELET/pod-resources/claims
  Scenario: The PodResources API lists the ResourceClaim of a sidecar
    Given ResourceClaim "c" is already allocated
      | device |
      | gpu-0  |
    And ResourceClaim "d" is already allocated
      | device |
      | gpu-1  |
    And a pod "p" with the containers
      | container | kind    | claims |
      | helper    | sidecar | c      |
      | main      |         | d      |
    When the kubelet prepares pod "p"
    Then pod "p" is prepared
    And the PodResources API shows ResourceClaim "c" of container "helper" of pod "p" with the device "dra.example.com/pool-1/gpu-0"
    And the PodResources API shows ResourceClaim "d" of container "main" of pod "p" with the device "dra.example.com/pool-1/gpu-1"
    And the PodResources API does not show ResourceClaim "c" of container "main" of pod "p"

  @case:pod-resources-of-one-pod
  @KUBELET/pod-resources/one-pod
  Scenario: The Get call of the PodResources API returns a pod with a sidecar as the List call does
    Given ResourceClaim "c" is already allocated
      | device |
      | gpu-0  |
    And ResourceClaim "d" is already allocated
      | device |
      | gpu-1  |
    And a pod "p" with the containers
      | container | kind    | claims |
      | setup     | init    | c      |
      | helper    | sidecar | c      |
      | main      |         | d      |
    And a pod "q" that uses ResourceClaim "d"
    When the kubelet prepares pods "p, q"
    Then the Get call of the PodResources API returns pod "p" as the List call does
    And the Get call of the PodResources API returns pod "q" as the List call does
    And the PodResources API shows ResourceClaim "c" of container "helper" of pod "p" with the device "dra.example.com/pool-1/gpu-0"
