Feature: Quota usage of resized pods and quota scopes
  ResourceQuota counts the current spec of a pod. Node resources that ResourceClaims add change neither the usage nor the
  scope.

  Background:
    Given a node "node-1" with allocatable 16 of "cpu" and 16Gi of "memory"

  Rule: Quota usage of resized pods

    @case:unmapped-claim-resized-to-quota
    @KEP-5517/accounting/quota-counts-spec-only @KEP-5517/resize/allowed-without-claim-status
    @profile:kep @profile:since-1.34
    Scenario: A pod whose ResourceClaim maps no node resources can be resized up to the quota
      Given the device
        | device | attribute type |
        | gpu0   | string gpu     |
      And a ResourceClaim "c" requesting 1 device
      And a ResourceQuota "q" with the hard limits 3 of "requests.cpu"
      And a pod "p" that uses ResourceClaim "c" with the container
        | container | request cpu |
        | main      | 1           |
      When the cluster reaches a steady state
      Then pod "p" is Running
      And ResourceQuota "q" reports 1 of "requests.cpu" as used
      When pod "p" is resized to
        | field                                     | value |
        | spec.containers[0].resources.requests.cpu | 3     |
      Then the object is stored
      When a pod "next" with the container is created
        | container | request cpu |
        | main      | 1m          |
      Then the object is rejected
      But since Kubernetes 1.34, because the document leaves open the reason of the rejection: the object is rejected as Forbidden
      When pod "p" is resized to
        | field                                     | value |
        | spec.containers[0].resources.requests.cpu | 3001m |
      Then the object is rejected
      But since Kubernetes 1.34, because the document leaves open the reason of the rejection: the object is rejected as Forbidden
      When the cluster reaches a steady state
      Then ResourceQuota "q" reports 3 of "requests.cpu" as used

    @case:rejected-resize-keeps-usage
    @KEP-5517/accounting/quota-counts-spec-only @KEP-5517/resize/rejected-with-claim-status
    Scenario: A rejected resize of a pod with a ResourceClaim for CPUs does not change the quota usage
      Given the device
        | device | mapping cpu |
        | four   | 4           |
      And a ResourceClaim "c" requesting 1 device
      And a ResourceQuota "q" with the hard limits 3 of "requests.cpu"
      And a pod "p" with the container
        | container | request cpu | claims |
        | main      | 1           | c      |
      When the cluster reaches a steady state
      Then pod "p" has the nodeAllocatableResourceClaimStatuses
        | resourceClaim | containers | resource cpu |
        | c             | main       | 4            |
      When pod "p" is resized to
        | field                                     | value |
        | spec.containers[0].resources.requests.cpu | 3     |
      Then the object is rejected
      But in Kubernetes 1.36, because the document leaves open the type and the path of the error: the object is rejected with Forbidden at "spec"
      But since Kubernetes 1.37, because these releases allow the resize of such pods: the object is stored
      When the cluster reaches a steady state
      Then ResourceQuota "q" reports 1 of "requests.cpu" as used
      But since Kubernetes 1.37, because these releases allow the resize of such pods: ResourceQuota "q" reports 3 of "requests.cpu" as used

  Rule: Quotas with scopes BestEffort and NotBestEffort

    Background:
      Given the device
        | device | mapping cpu |
        | four   | 4           |
      And a ResourceClaim "c" requesting 1 device
      And the object
        """
        apiVersion: v1
        kind: ResourceQuota
        metadata: {name: best-effort, namespace: default}
        spec:
          hard: {pods: 1}
          scopes: [BestEffort]
        """
      And the object
        """
        apiVersion: v1
        kind: ResourceQuota
        metadata: {name: others, namespace: default}
        spec:
          hard: {pods: 1}
          scopes: [NotBestEffort]
        """

    @case:claim-only-in-best-effort-scope
    @KEP-5517/accounting/quota-counts-spec-only @KEP-5517/kubelet/qos-from-spec-only
    Scenario: A pod with CPUs only from a ResourceClaim counts in the ResourceQuota scope BestEffort
      When the cluster reaches a steady state
      And a pod "p" with the container is created
        | container | claims |
        | main      | c      |
      Then the object is stored
      When the cluster reaches a steady state
      Then pod "p" is Running
      And ResourceQuota "best-effort" reports 1 of "pods" as used
      And ResourceQuota "others" reports 0 of "pods" as used
      When a pod "next" with the container is created
        | container | claims |
        | main      | d      |
      Then the object is rejected
      But since Kubernetes 1.34, because the document leaves open the reason of the rejection: the object is rejected as Forbidden

    @case:request-in-not-best-effort-scope
    @KEP-5517/accounting/quota-counts-spec-only @KEP-5517/kubelet/qos-from-spec-only
    Scenario: A pod with a CPU request and a ResourceClaim counts in the quota scope NotBestEffort
      When the cluster reaches a steady state
      And a pod "p" with the container is created
        | container | request cpu | claims |
        | main      | 1m          | c      |
      Then the object is stored
      When the cluster reaches a steady state
      Then pod "p" is Running
      And ResourceQuota "best-effort" reports 0 of "pods" as used
      And ResourceQuota "others" reports 1 of "pods" as used
      When a pod "next" with the container is created
        | container | request cpu | claims |
        | main      | 1m          | d      |
      Then the object is rejected
      But since Kubernetes 1.34, because the document leaves open the reason of the rejection: the object is rejected as Forbidden

  Rule: CPU requests that a ResourceQuota requires

    @case:request-required-despite-claim
    @KEP-5517/accounting/quota-counts-spec-only @profile:since-1.36
    Scenario: A CPU quota requires a CPU request even if a ResourceClaim adds CPUs
      Given the device
        | device | mapping cpu |
        | four   | 4           |
      And a ResourceClaim "c" requesting 1 device
      And a ResourceQuota "q" with the hard limits 1 of "requests.cpu"
      When the cluster reaches a steady state
      And a pod "p" with the container is created
        | container | claims |
        | main      | c      |
      Then the object is rejected
      But since Kubernetes 1.34, because the document leaves open the reason of the rejection: the object is rejected as Forbidden
      When a pod "p" with the container is created
        | container | request cpu | claims |
        | main      | 1           | c      |
      Then the object is stored
