Feature: Node resource usage of pods with ResourceClaims
  Allocated devices map to quantities of node resources. These quantities are added to the container requests,
  once for each ResourceClaim.

  Background:
    Given the devices
      | device | mapping cpu | mapping memory | mapping hugepages-1Gi |
      | four   | 4           |                |                       |
      | two    | 2           |                |                       |
      | ten    | 10          |                |                       |
      | small  | 50m         |                | 1Gi                   |
      | medium | 25m         | 512Mi          | 2Gi                   |
      | pages  |             |                | 2Gi                   |
      | aux    | 2           | 4Gi            |                       |
      | nic    |             | 1Gi            |                       |

  Rule: Node resources of ResourceClaims are added to container requests

    @case:claim-added-to-request
    @KEP-5517/accounting/claim-adds-to-spec-requests @KEP-5517/policy/implicit-alpha-policy
    Scenario Outline: CPUs that the device of a ResourceClaim maps to are added to the container CPU request
      Given a pod "p" with the container
        | container | request cpu | claims |
        | main      | <spec>      | c      |
      And ResourceClaim "c" is already allocated
        | device |
        | four   |
      When the node resource usage of pod "p" is computed
      Then the pod uses <total> of "cpu"

      Examples:
        | spec | total |
        | 1    | 5     |
        | 4    | 8     |
        | 3    | 7     |
        | 100m | 4100m |

    @case:claim-without-requests
    @KEP-5517/accounting/resource-present-only-in-claim
    Scenario: A pod without CPU requests uses the CPUs that the device of its ResourceClaim maps to
      Given a pod "p" that uses ResourceClaim "c"
      And ResourceClaim "c" is already allocated
        | device |
        | four   |
      When the node resource usage of pod "p" is computed
      Then the pod uses 4 of "cpu"

    @case:resource-only-in-claim
    @KEP-5517/accounting/resource-present-only-in-claim
    Scenario: A pod uses the huge pages that its device maps to although no container requests them
      Given a pod "p" with the container
        | container | request cpu | claims |
        | main      | 1           | c      |
      And ResourceClaim "c" is already allocated
        | device |
        | pages  |
      When the node resource usage of pod "p" is computed
      Then the pod uses 1 of "cpu" and 2Gi of "hugepages-1Gi"

  Rule: Each ResourceClaim counts once in the node resource usage of a pod

    @case:two-containers-share-claim
    @KEP-5517/accounting/claim-counted-once-per-pod @KEP-5517/policy/implicit-alpha-policy
    Scenario: A ResourceClaim used by two containers counts once in the node resource usage of the pod
      Given a pod "p" with the containers
        | container | request cpu | claims |
        | c1        | 100m        | c      |
        | c2        | 200m        | c      |
      And ResourceClaim "c" is already allocated
        | device |
        | small  |
      When the node resource usage of pod "p" is computed
      Then the pod uses 350m of "cpu" and 1Gi of "hugepages-1Gi"

    @case:three-containers-share-claim
    @KEP-5517/accounting/claim-counted-once-per-pod @KEP-5517/policy/implicit-alpha-policy
    Scenario: A ResourceClaim of three containers without requests counts once in node resource usage
      Given a pod "p" with the containers
        | container | claims |
        | c1        | c      |
        | c2        | c      |
        | c3        | c      |
      And ResourceClaim "c" is already allocated
        | device |
        | ten    |
      When the node resource usage of pod "p" is computed
      Then the pod uses 10 of "cpu"
      And ResourceClaim "c" uses 10 of "cpu" for containers "c1, c2, c3"

    @case:container-of-two-requests
    @KEP-5517/status/containers-include-init-and-regular
    Scenario: A container that uses two requests of a ResourceClaim is listed once for the ResourceClaim
      Given a pod "p" with the container
        | container | claims   |
        | c1        | c/a, c/b |
      And ResourceClaim "c" is already allocated
        | device | request |
        | two    | a       |
        | four   | b       |
      When the node resource usage of pod "p" is computed
      Then ResourceClaim "c" uses 6 of "cpu" for container "c1"
      But since Kubernetes 1.36, because these releases list the container once for each request: ResourceClaim "c" uses 6 of "cpu" for containers "c1, c1"

    @case:claim-under-two-names
    @KEP-5517/accounting/claim-listed-under-two-pod-names-counted-once
    Scenario: A ResourceClaim under two names in spec.resourceClaims counts once in node resource usage
      Given the object
        """
        apiVersion: v1
        kind: Pod
        metadata: {name: p, namespace: default}
        spec:
          containers:
            - {name: c1, image: i, resources: {claims: [{name: a}]}}
            - {name: c2, image: i, resources: {claims: [{name: b}]}}
          resourceClaims:
            - {name: a, resourceClaimName: shared}
            - {name: b, resourceClaimName: shared}
        """
      And ResourceClaim "shared" is already allocated
        | device |
        | four   |
      When the node resource usage of pod "p" is computed
      Then the pod uses 4 of "cpu"
      And ResourceClaim "shared" uses 4 of "cpu" for containers "c1, c2"

    @case:unreferenced-claim
    @KEP-5517/accounting/unreferenced-claim-still-counted
    Scenario: A ResourceClaim that no container references counts once in node resource usage
      Given a pod "p" that uses ResourceClaim "c" with the container
        | container | request cpu |
        | main      | 1           |
      And ResourceClaim "c" is already allocated
        | device |
        | four   |
      When the node resource usage of pod "p" is computed
      Then the pod uses 5 of "cpu"
      And ResourceClaim "c" uses 4 of "cpu" for no container
      But in Kubernetes 1.36, because this release requires that a container references the claim: the node resource usage cannot be computed because of ClaimUnreferenced

    @case:unreferenced-and-referenced-claim
    @KEP-5517/accounting/unreferenced-claim-still-counted
    Scenario Outline: A ResourceClaim without a container counts together with a ResourceClaim in use
      Given a pod "p" that uses ResourceClaims "<claims>" with the container
        | container | request cpu | claims |
        | main      | 1           | c      |
      And ResourceClaim "c" is already allocated
        | device |
        | four   |
      And ResourceClaim "d" is already allocated
        | device |
        | two    |
      When the node resource usage of pod "p" is computed
      Then the pod uses 7 of "cpu"
      And ResourceClaim "d" uses 2 of "cpu" for no container
      But in Kubernetes 1.36, because this release requires that a container references the claim: the node resource usage cannot be computed because of ClaimUnreferenced

      Examples:
        | unreferenced | claims |
        | last         | c, d   |
        | first        | d, c   |

    @case:two-generated-claims
    @KEP-5517/accounting/different-claims-on-different-containers-sum
    Scenario: Both ResourceClaims that were generated for a pod count, by the names in its status
      Given the objects
        """
        apiVersion: v1
        kind: Pod
        metadata: {name: p, namespace: default, uid: 3a8ff6f1-36f8-4f0b-8d63-0d5a1f3f0071}
        spec:
          containers:
            - {name: c1, image: i, resources: {claims: [{name: a}]}}
            - {name: c2, image: i, resources: {claims: [{name: b}]}}
          resourceClaims:
            - {name: a, resourceClaimTemplateName: t}
            - {name: b, resourceClaimTemplateName: t}
        status:
          resourceClaimStatuses:
            - {name: a, resourceClaimName: p-a-x}
            - {name: b, resourceClaimName: p-b-y}
        ---
        apiVersion: resource.k8s.io/v1
        kind: ResourceClaim
        metadata:
          name: p-a-x
          namespace: default
          annotations: {resource.kubernetes.io/pod-claim-name: a}
          ownerReferences:
            - {apiVersion: v1, kind: Pod, name: p, uid: 3a8ff6f1-36f8-4f0b-8d63-0d5a1f3f0071, controller: true}
        spec: {devices: {requests: [{name: r0, exactly: {deviceClassName: any, allocationMode: ExactCount, count: 1}}]}}
        status: {allocation: {devices: {results: [{request: r0, driver: dra.example.com, pool: pool-1, device: four}]}}}
        ---
        apiVersion: resource.k8s.io/v1
        kind: ResourceClaim
        metadata:
          name: p-b-y
          namespace: default
          annotations: {resource.kubernetes.io/pod-claim-name: b}
          ownerReferences:
            - {apiVersion: v1, kind: Pod, name: p, uid: 3a8ff6f1-36f8-4f0b-8d63-0d5a1f3f0071, controller: true}
        spec: {devices: {requests: [{name: r0, exactly: {deviceClassName: any, allocationMode: ExactCount, count: 1}}]}}
        status: {allocation: {devices: {results: [{request: r0, driver: dra.example.com, pool: pool-1, device: two}]}}}
        """
      When the node resource usage of pod "p" is computed
      Then the pod uses 6 of "cpu"
      And ResourceClaim "p-a-x" uses 4 of "cpu" for container "c1"
      And ResourceClaim "p-b-y" uses 2 of "cpu" for container "c2"

  Rule: Node resources of all devices and ResourceClaims of a pod are added up

    @case:devices-of-all-requests
    @KEP-5517/accounting/several-devices-in-one-claim-sum
    Scenario: Node resources of the devices of all requests of a ResourceClaim are added up
      Given a pod "p" that uses ResourceClaim "c"
      And ResourceClaim "c" is already allocated
        | device | request |
        | two    | cores   |
        | four   | cores   |
        | nic    | nic     |
      When the node resource usage of pod "p" is computed
      Then the pod uses 6 of "cpu" and 1Gi of "memory"

    @case:devices-of-subrequest
    @KEP-5517/accounting/several-devices-in-one-claim-sum
    Scenario: Node resources of the devices of an allocated subrequest are added up
      Given a pod "p" that uses ResourceClaim "c"
      And the object
        """
        apiVersion: resource.k8s.io/v1
        kind: ResourceClaim
        metadata: {name: c, namespace: default}
        spec:
          devices:
            requests:
              - name: r0
                firstAvailable:
                  - {name: s0, deviceClassName: any, allocationMode: ExactCount, count: 1}
                  - {name: s1, deviceClassName: any, allocationMode: ExactCount, count: 2}
        status:
          allocation:
            devices:
              results:
                - {request: r0/s1, driver: dra.example.com, pool: pool-1, device: two}
                - {request: r0/s1, driver: dra.example.com, pool: pool-1, device: four}
        """
      When the node resource usage of pod "p" is computed
      Then ResourceClaim "c" uses 6 of "cpu"

    @case:pool-and-auxiliary-cpus
    @KEP-5517/accounting/several-devices-in-one-claim-sum
    Scenario: Consumed CPUs of a shared device and auxiliary CPUs of a GPU in one ResourceClaim add up
      Given the device
        | device | pool | allowMultipleAllocations | capacity cpu | mapping cpu |
        | pool0  | pool | yes                      | 128          | cpu         |
      And a pod "p" that uses ResourceClaim "c"
      And ResourceClaim "c" is already allocated
        | device | pool   | request | shareID | consumedCapacity cpu |
        | pool0  | pool   | pool    | s1      | 4                    |
        | aux    | pool-1 | gpu     |         |                      |
      When the node resource usage of pod "p" is computed
      Then ResourceClaim "c" uses 6 of "cpu" and 4Gi of "memory"

    @case:additive-example
    @KEP-5517/accounting/several-claims-per-container-sum
    Scenario: Each of the two ResourceClaims in the additive example of KEP-5517 counts once
      Given a pod "p" with the containers
        | container | request cpu | claims         |
        | c1        | 1           | claim-a, claim-b |
        | c2        | 2           | claim-a        |
      And ResourceClaim "claim-a" is already allocated
        | device |
        | four   |
      And ResourceClaim "claim-b" is already allocated
        | device |
        | two    |
      When the node resource usage of pod "p" is computed
      Then the pod uses 9 of "cpu"
      And ResourceClaim "claim-a" uses 4 of "cpu" for containers "c1, c2"
      And ResourceClaim "claim-b" uses 2 of "cpu" for container "c1"

    @case:claim-of-another-namespace
    @KEP-5517/accounting/claim-adds-to-spec-requests
    Scenario: A ResourceClaim of another namespace with the same name does not count
      Given the object
        """
        apiVersion: resource.k8s.io/v1
        kind: ResourceClaim
        metadata: {name: c, namespace: another}
        spec: {devices: {requests: [{name: r0, exactly: {deviceClassName: any, allocationMode: ExactCount, count: 1}}]}}
        status: {allocation: {devices: {results: [{request: r0, driver: dra.example.com, pool: pool-1, device: ten}]}}}
        """
      And a pod "p" that uses ResourceClaim "c"
      And ResourceClaim "c" is already allocated
        | device |
        | four   |
      When the node resource usage of pod "p" is computed
      Then the pod uses 4 of "cpu"

    @case:two-claims-one-container
    @KEP-5517/accounting/several-claims-per-container-sum
    Scenario: Node resources of two ResourceClaims of one container are added up for each resource
      Given a pod "p" with the container
        | container | request cpu | request memory | claims |
        | c1        | 100m        | 1Gi            | a, b   |
      And ResourceClaim "a" is already allocated
        | device |
        | small  |
      And ResourceClaim "b" is already allocated
        | device |
        | medium |
      When the node resource usage of pod "p" is computed
      Then the pod uses 175m of "cpu" and 1536Mi of "memory" and 3Gi of "hugepages-1Gi"

    @case:claims-of-two-containers
    @KEP-5517/accounting/different-claims-on-different-containers-sum
    Scenario: Node resources of ResourceClaims of different containers are added up
      Given a pod "p" with the containers
        | container | request cpu | request memory | request hugepages-1Gi | limit hugepages-1Gi | claims |
        | c1        | 100m        |                | 1Gi                   | 1Gi                 | a      |
        | c2        | 200m        | 1Gi            | 2Gi                   | 2Gi                 | b      |
      And ResourceClaim "a" is already allocated
        | device |
        | small  |
      And ResourceClaim "b" is already allocated
        | device |
        | medium |
      When the node resource usage of pod "p" is computed
      Then the pod uses 375m of "cpu" and 1536Mi of "memory" and 6Gi of "hugepages-1Gi"

    @case:admin-access
    @KEP-5517/accounting/admin-access-claims
    Scenario: A device allocated with adminAccess counts in node resource usage like any other device
      Given a pod "p" with the container
        | container | request cpu | claims |
        | main      | 1           | c      |
      And ResourceClaim "c" is already allocated
        | device | adminAccess |
        | two    | yes         |
      When the node resource usage of pod "p" is computed
      Then the pod uses 3 of "cpu"

  Rule: ResourceClaims that another pod on the node uses

    @case:claim-of-other-pod
    @KEP-5517/shared-claim/inter-pod-sharing-rejected
    Scenario: Node usage of a pod cannot be computed if another pod on the node uses its ResourceClaim
      Given a pod "first" on node "node-1" that uses ResourceClaim "c"
      And pod "first" has the nodeAllocatableResourceClaimStatuses
        | resourceClaim | containers | resource cpu |
        | c             | main       | 4            |
      And a pod "p" that uses ResourceClaim "c"
      And ResourceClaim "c" is already allocated
        | device |
        | four   |
      When the node resource usage of pod "p" is computed
      Then the node resource usage cannot be computed because of ClaimShared

    @case:mapped-capacity-not-consumed
    @KEP-5517/mapping/capacity-key-absent-from-consumed-map
    Scenario: A ResourceClaim that consumes no capacity named by capacityKey can be shared by two pods
      Given the device
        | device | allowMultipleAllocations | capacity cores | capacity memory | mapping cpu |
        | socket | yes                      | 64             | 64Gi            | cores       |
      And a pod "first" on node "node-1" that uses ResourceClaim "c"
      And a pod "p" with the container
        | container | request cpu | claims |
        | main      | 1           | c      |
      And ResourceClaim "c" is already allocated
        | device | shareID | consumedCapacity memory |
        | socket | s1      | 8Gi                     |
      When the node resource usage of pod "p" is computed
      Then the pod uses 1 of "cpu"
      But since Kubernetes 1.37, because these releases share no claim with a mapped device, whatever the claim consumes: the node resource usage cannot be computed because of ClaimShared
